// The worker that finds out what changed since a visit. It uses no network and no storage.
import { serveJobs } from '../../lib/async/serve-jobs.ts';
import { findChanges } from './find-changes.ts';
import type { SinceJob } from './since-jobs.ts';
import '../../yjs/install.ts';

serveJobs((job) => (isJob(job) ? findChanges(job) : null));

/** Jobs come only from `changes-since.ts`. */
const isJob = (data: unknown): data is SinceJob => typeof data === 'object' && data !== null && 'later' in data;
