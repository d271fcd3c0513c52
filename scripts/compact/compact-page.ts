// Compacts one page's log: reads all of it, decides, and swaps one run after the other. Writers go on meanwhile, because they
// write behind what is old.
import { type Result, err, ok } from '../../src/lib/result.ts';
import type { CompactCalls } from './compact-calls.ts';
import { planPage } from './plan-page.ts';

export type Compacted = { readonly replaced: number; readonly made: number };

export async function compactPage(
  calls: Pick<CompactCalls, 'log' | 'swap'>,
  document: string,
  { olderThanMs, isDryRun }: { readonly olderThanMs: number; readonly isDryRun: boolean },
): Promise<Result<Compacted, string>> {
  const log = await calls.log(document);
  if (!log.ok) return log;
  const { rows, textSeq, versions, now } = log.value;
  const runs = planPage(rows, { before: now - olderThanMs, versions, textSeq });
  if (runs === null) return err('the history would not say the same any more; nothing was changed');
  let [replaced, made] = [0, 0];
  for (const run of runs) {
    const done = isDryRun ? ok(true) : await calls.swap(document, run);
    if (!done.ok) return done;
    // Someone else compacts the page, named a version, or erased something: the rest is left to the next run.
    if (!done.value) break;
    replaced += run.replaced.length;
    made += 1;
  }
  return ok({ replaced, made });
}
