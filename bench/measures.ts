// All measurements, by the name that `npm run bench -- <name>` takes.
import type { Measure } from './measure.ts';
import { latency } from './measures/latency.ts';

export const MEASURES: { readonly [name: string]: Measure } = { latency };
