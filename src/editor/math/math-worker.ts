// The worker that renders formulas. It uses no network and no storage.
import { serveJobs } from '../../lib/serve-jobs.ts';
import { renderMath } from './render-math.ts';

serveJobs((job) => {
  if (typeof job !== 'object' || job === null || !('tex' in job) || !('output' in job)) return null;
  const { tex, output } = job;
  return typeof tex === 'string' ? renderMath({ tex, output: output === 'mathml' ? 'mathml' : 'page' }) : null;
});
