// The worker that renders formulas. It uses no network and no storage.
import { serveJobs } from '../../lib/async/serve-jobs.ts';
import { renderMath } from './render-math.ts';

serveJobs((job) => {
  if (typeof job !== 'object' || job === null || !('tex' in job) || !('output' in job) || !('isInline' in job))
    return null;
  const { tex, output, isInline } = job;
  if (typeof tex !== 'string') return null;
  return renderMath({ tex, output: output === 'mathml' ? 'mathml' : 'page', isInline: isInline === true });
});
