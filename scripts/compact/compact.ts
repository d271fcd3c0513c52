// Compacts the history of all pages of a project, or of one. The database hands out the rows and swaps them; merging needs Yjs,
// which it does not have.
import process from 'node:process';
import { parseArgs } from 'node:util';
import { createClient } from '@supabase/supabase-js';
import * as v from 'valibot';
import { type Result, err, ok } from '../../src/lib/result.ts';
import { CompactCalls } from './compact-calls.ts';
import { compactPage } from './compact-page.ts';

const USAGE = `SUPABASE_SERVICE_ROLE_KEY=… npm run compact -- <address> --older-than <days> [--page <id>] [--dry-run]

<address>     the project, such as https://<ref>.supabase.co, or a Weft that runs
--older-than  editing sessions that ended so many days ago or earlier, at least 1
--page        this page alone
--dry-run     only says what would be done

Each editing session becomes one row. The steps in it are gone for good; authors, times and the page after it stay.`;

const optionsOf = v.object({
  address: v.pipe(
    v.string(),
    v.check((address) => /^https?:$/.test(URL.parse(address)?.protocol ?? '')),
  ),
  days: v.pipe(v.string(), v.regex(/^\d{1,5}$/), v.transform(Number), v.minValue(1)),
  page: v.nullable(v.pipe(v.string(), v.uuid())),
  isDryRun: v.boolean(),
});
type Options = v.InferOutput<typeof optionsOf>;

const DAY_MS = 24 * 60 * 60_000;

/** Returns the exit code: 0 done, 1 something failed, 2 not called rightly. */
export async function compact(args: readonly string[], print: (line: string) => void): Promise<number> {
  const options = readOptions(args);
  const key = process.env['SUPABASE_SERVICE_ROLE_KEY'] ?? '';
  if (!options.ok || key === '') {
    print(options.ok ? 'SUPABASE_SERVICE_ROLE_KEY is missing.' : options.error);
    return 2;
  }
  const { address, days, page, isDryRun } = options.value;
  const client = createClient(new URL(address).origin, key, {
    auth: { persistSession: false, autoRefreshToken: false },
  });
  const calls = new CompactCalls(client);
  const total = { pages: 0, replaced: 0, made: 0, failed: 0 };
  for await (const found of page === null ? calls.pages(days) : [ok(page)]) {
    const done = found.ok ? await compactPage(calls, found.value, { olderThanMs: days * DAY_MS, isDryRun }) : found;
    if (!done.ok) {
      total.failed += 1;
      print(found.ok ? `${found.value}: ${done.error}` : done.error);
      continue;
    }
    const { replaced, made } = done.value;
    if (made === 0) continue;
    total.pages += 1;
    total.replaced += replaced;
    total.made += made;
  }
  print(
    `${isDryRun ? 'Would make' : 'Made'} ${total.made} rows of ${total.replaced} on ${total.pages} pages.` +
      (total.failed === 0 ? '' : ` ${total.failed} failed.`),
  );
  return total.failed === 0 ? 0 : 1;
}

function readOptions(args: readonly string[]): Result<Options, string> {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { 'older-than': { type: 'string' }, page: { type: 'string' }, 'dry-run': { type: 'boolean' } },
    });
    const parsed = v.safeParse(optionsOf, {
      address: positionals.length === 1 ? positionals[0] : undefined,
      days: values['older-than'],
      page: values.page ?? null,
      isDryRun: values['dry-run'] ?? false,
    });
    return parsed.success ? ok(parsed.output) : err(USAGE);
  } catch {
    return err(USAGE);
  }
}
