// The worker that holds the history of one page. It uses no network and no storage.
import { serveJobs } from '../../../lib/serve-jobs.ts';
import { answerJob } from './answer-question.ts';
import type { HistoryJob } from './history-jobs.ts';
import { PageLog } from './page-log.ts';

const log = new PageLog();

serveJobs((job) => (isJob(job) ? answerJob(log, job) : null));

/** Jobs come only from `opened-history.ts`. */
const isJob = (data: unknown): data is HistoryJob => typeof data === 'object' && data !== null && 'kind' in data;
