// `weft watch`: follows a page and prints. Standard output has data only, standard error messages only.
import http from 'node:http';
import process from 'node:process';
import { text } from 'node:stream/consumers';
import { printableLine, printableText } from '../../lib/text/printable-text.ts';
import { NodeMarkdown } from '../node-markdown.ts';
import type { PageState } from '../page-change.ts';
import { PageWatch, type Start } from '../page-watch.ts';
import { WatchError } from '../watch-error.ts';
import { type WatchLink, fingerprintOf, parseWatchLink } from '../watch-link.ts';
import { EXIT, type Options, USAGE, parseOptions } from './options.ts';
import { outputOf } from './outputs.ts';
import { replaceFile } from './replace-file.ts';
import { StateFile } from './state-file.ts';

/** Wait for the first answer without `--timeout`: a wrong address should not hang. */
const OPEN_WITHIN_MS = 60_000;

/** Ends the process with one of the exit codes. */
export async function weft(args: readonly string[]): Promise<void> {
  process.stdout.on('error', endQuietly);
  const code = await run(args).catch((error: unknown) => {
    if (error instanceof WatchError) {
      say(error.message);
      return EXIT[error.code];
    }
    say(error instanceof Error ? error.message : String(error));
    return EXIT.failed;
  });
  process.exit(code);
}

async function run(args: readonly string[]): Promise<number> {
  const options = parseOptions(args);
  if (!options.ok) {
    say(`${options.error}\n\n${USAGE}`);
    return EXIT.usage;
  }
  if (options.value === 'help') {
    await print(USAGE);
    return EXIT.done;
  }
  const link = parseWatchLink(options.value.link === '-' ? await text(process.stdin) : options.value.link);
  if (link === null) throw new WatchError('badLink', 'it looks like https://host/s#secret');
  const state = options.value.state === null ? null : new StateFile(options.value.state, await fingerprintOf(link));
  const stored = (await state?.read()) ?? { kind: 'none' };
  if (stored.kind === 'foreign') {
    say(`${options.value.state} belongs to another link. Name another file, or delete it.`);
    return EXIT.usage;
  }
  followProxy();
  return watchPage(link, options.value, state, stored.kind === 'found' ? stored.start : null);
}

async function watchPage(link: WatchLink, options: Options, state: StateFile | null, start: Start | null) {
  const watch = new PageWatch(link, {
    start,
    openWithinMs: options.timeoutMs ?? OPEN_WITHIN_MS,
    timeoutMs: options.timeoutMs,
    isOnce: options.isOnce,
    onConnection: (isLive, title) => say(isLive ? `Live: “${printableLine(title)}”` : 'Reconnecting'),
  });
  process.once('SIGINT', () => watch.close());
  process.once('SIGTERM', () => watch.close());
  const markdown = new NodeMarkdown();
  const output = outputOf(options.format, markdown);
  const deliver = async (write: () => Promise<string>, page: PageState) => {
    if (options.out === null) await print(await write());
    else await replaceFile(options.out, printableText(await markdown.write(page)));
  };
  /** At least once: what was printed but not remembered is printed again. */
  const remember = async (withPage: boolean) => {
    const position = watch.position();
    if (position !== null) await state?.write(position, withPage);
  };
  const first = await watch.start();
  if (first === null) return EXIT.done;
  const isWhole = options.isOnce && (start === null || options.format === 'markdown');
  if (!isWhole) {
    await deliver(() => output.started(first, start === null), first);
    await remember(true);
  }
  let last = first;
  for (let batch = await watch.next(); batch !== null; batch = await watch.next()) {
    const { page } = batch;
    last = page;
    if (isWhole) continue;
    await deliver(() => output.changed(batch), page);
    await remember(false);
  }
  if (isWhole) await deliver(() => output.whole(last), last);
  await remember(true);
  watch.close();
  return EXIT.done;
}

/** Resolves when the operating system has it, so that what is remembered was printed. */
const print = (data: string): Promise<void> =>
  new Promise((resolve, reject) => {
    if (data === '') resolve();
    else process.stdout.write(data, (error) => (error == null ? resolve() : reject(error)));
  });

/** Messages may name titles and answers of strangers. */
function say(message: string): void {
  process.stderr.write(`${printableText(message)}\n`);
}

/** Without a message: a reader that closes the pipe, such as `head -1`, has what it wants. */
function endQuietly(error: Error): void {
  process.exit('code' in error && error.code === 'EPIPE' ? EXIT.done : EXIT.failed);
}

/** Node reads HTTP_PROXY, HTTPS_PROXY and NO_PROXY only when asked to. */
function followProxy(): void {
  const isNamed = ['HTTP_PROXY', 'HTTPS_PROXY', 'http_proxy', 'https_proxy'].some((name) => process.env[name]);
  if (!isNamed || process.env['NODE_USE_ENV_PROXY'] === '1') return;
  // The types know the newest Node only.
  if ('setGlobalProxyFromEnv' in http) http.setGlobalProxyFromEnv();
  else say('To go through the proxy of the environment, this Node needs NODE_USE_ENV_PROXY=1.');
}
