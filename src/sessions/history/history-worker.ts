// The worker that holds the history of one page. It uses no network and no storage.
import { serveJobs } from '../../lib/async/serve-jobs.ts';
import { newAnswerer } from './answer-question.ts';
import type { HistoryJob } from './history-jobs.ts';
import '../../yjs/install.ts';

const answer = newAnswerer();

serveJobs((job) => (isJob(job) ? answer(job) : null));

/** Jobs come only from `opened-history.ts`. */
const isJob = (data: unknown): data is HistoryJob => typeof data === 'object' && data !== null && 'kind' in data;
