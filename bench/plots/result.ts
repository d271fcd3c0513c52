// A file of bench/results, as far as the pictures need it.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';

/** Older results have no p5, p25 and p75; a sample without values has null everywhere. */
const summary = v.object({
  p5: v.nullish(v.number()),
  p25: v.nullish(v.number()),
  p50: v.nullable(v.number()),
  p75: v.nullish(v.number()),
  p95: v.nullable(v.number()),
  p99: v.nullable(v.number()),
});
const result = v.object({
  machine: v.object({ date: v.string(), cpu: v.string(), memoryGiB: v.number(), node: v.string(), load: v.number() }),
  figures: v.record(
    v.string(),
    v.object({ samples: v.record(v.string(), summary), values: v.record(v.string(), v.nullable(v.number())) }),
  ),
});
export type Spread = v.InferOutput<typeof summary>;
export type Result = v.InferOutput<typeof result>;

/** Null if the benchmark has not been run. */
export function readResult(folder: string, name: string): Result | null {
  const file = join(folder, `${name}.json`);
  return existsSync(file) ? v.parse(result, JSON.parse(readFileSync(file, 'utf8'))) : null;
}
