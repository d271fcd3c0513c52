// The options of `weft watch`, and its help.
import { parseArgs } from 'node:util';
import { type Result, err, ok } from '../../lib/result.ts';

export type Format = 'text' | 'json' | 'markdown' | 'diff';
export type Options = {
  readonly link: string;
  readonly format: Format;
  readonly out: string | null;
  readonly state: string | null;
  readonly isOnce: boolean;
  readonly timeoutMs: number | null;
};

/** Exit codes; `docs/watching.md` has them too. */
export const EXIT = {
  done: 0,
  failed: 1,
  usage: 2,
  badLink: 3,
  revoked: 4,
  unreachable: 5,
  newerPage: 6,
  otherHistory: 7,
} as const;

export const USAGE = `Usage: weft watch LINK [options]

Follows a page by its share link (https://host/s#secret) and prints each change once it is durable.
LINK may be - to read it from standard input, so that it is in no list of processes.

  (without a format)  what changed, in words
  --json              one JSON object per line (docs/watching.md describes it)
  --markdown          the whole page as Markdown: at the start and after each change
  --diff              a unified diff of the Markdown
  --out FILE          with --markdown: replaces this file instead, never half-written
  --state FILE        remembers in FILE and FILE.page how far it came, and goes on from there
  --once              prints the page as it is, or with --state what is new, and ends
  --timeout SECONDS   gives up after so long without an answer; by default after 60 s at the start, later never

Exit codes: 0 ended by a signal or --once, 1 an unexpected error, 2 wrong usage, 3 the link doesn't work, 4 the link was
revoked, 5 the server can't be reached, 6 the page needs a newer version of Weft, 7 the page is older than FILE of --state.
`;

const OPTIONS = {
  json: { type: 'boolean' },
  markdown: { type: 'boolean' },
  diff: { type: 'boolean' },
  out: { type: 'string' },
  state: { type: 'string' },
  once: { type: 'boolean' },
  timeout: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** An error is a sentence for the person who typed the command. */
export function parseOptions(args: readonly string[]): Result<Options | 'help', string> {
  let parsed;
  try {
    parsed = parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
  } catch (error) {
    return err(error instanceof Error ? error.message : String(error));
  }
  const { values, positionals } = parsed;
  if (values.help === true) return ok('help');
  const [command, link, ...rest] = positionals;
  if (command !== 'watch') return err(command === undefined ? 'A command is missing.' : `There is no “${command}”.`);
  if (link === undefined || rest.length > 0) return err('Name one link. In a shell, put it in quotes.');
  const formats = (['json', 'markdown', 'diff'] as const).filter((one) => values[one] === true);
  if (formats.length > 1) return err('Choose one of --json, --markdown and --diff.');
  const format = formats[0] ?? 'text';
  if (values.out !== undefined && format !== 'markdown') return err('--out needs --markdown.');
  if (values.out === '' || values.state === '') return err('A file has no name.');
  const seconds = values.timeout === undefined ? null : Number(values.timeout);
  if (seconds !== null && !(seconds > 0 && seconds <= 1_000_000)) return err('--timeout takes a number of seconds.');
  return ok({
    link,
    format,
    out: values.out ?? null,
    state: values.state ?? null,
    isOnce: values.once === true,
    timeoutMs: seconds === null ? null : seconds * 1_000,
  });
}
