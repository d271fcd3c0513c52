// The worker that colors code. It uses no network and no storage.
import { serveJobs } from '../../lib/async/serve-jobs.ts';
import { highlightCode } from './highlight-code.ts';

serveJobs((job) => {
  if (typeof job !== 'object' || job === null || !('language' in job) || !('text' in job)) return null;
  const { language, text } = job;
  return typeof language === 'string' && typeof text === 'string' ? highlightCode({ language, text }) : null;
});
