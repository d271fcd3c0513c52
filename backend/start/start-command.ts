// `npm start` and `npm run backend`: reads the options, starts the server, prints its addresses when it is ready, and stops it
// cleanly. Everything else goes to standard error.
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { showProgress } from '../../scripts/setup/progress.mjs';
import { type AddressSet, parseAddressSet } from '../gateway/addresses.ts';
import { hostOf } from '../gateway/known-hosts.ts';
import type { Rate } from '../gateway/token-buckets.ts';
import { type RunningServer, type ServerOptions, startServer } from '../http/server.ts';
import { StartError } from '../start-error.ts';
import { readEnvironment } from './environment.ts';

const USAGE = `Usage:
  npm start -- [options]          the app and its backend
  npm run backend -- [options]    the backend alone

Options:
  --port N      port, 4400 by default; 0: any free one
  --host H      address to listen on, 127.0.0.1 by default
  --data DIR    data directory, ./data by default
  --memory      a temporary database, deleted when Weft stops
  --json        (backend) print {"url","anonKey","serviceRoleKey","dbUrl"} instead of a sentence

Environment:
  DATABASE_URL  a PostgreSQL 15 or newer in place of the database in the data directory
  WEFT_PLAN     free or pro: our Realtime with the limits of that Supabase plan

For others (--host 0.0.0.0, or a proxy):
  --public-url URL       the address that people open, "https://weft.example"
  --allow-host NAMES     host names to accept besides IP addresses and local names
  --trust-proxy LIST     proxies whose X-Forwarded-For and -Proto count: addresses or networks (127.0.0.1,10.0.0.0/8)
  --mail-readers LIST    addresses that may open the mail page /__mail, besides this machine
  --rate-limit N         requests a second of one address, 200 by default

For the errors of the app, which are sent nowhere by default (docs/errors.md):
  --on-error FILE        a module that gets them
  --connect-to ORIGINS   where it may send them besides this server: "https://collector.example"
`;

const IN_MEMORY = 'The database is temporary: it is deleted when Weft stops.\n';

const ROOT = join(import.meta.dirname, '../..');
const DEFAULT_PORT = 4400;
const DEFAULT_HOST = '127.0.0.1';

const OPTIONS = {
  port: { type: 'string' },
  host: { type: 'string' },
  data: { type: 'string' },
  memory: { type: 'boolean' },
  json: { type: 'boolean' },
  'public-url': { type: 'string' },
  'allow-host': { type: 'string', multiple: true },
  'trust-proxy': { type: 'string' },
  'mail-readers': { type: 'string' },
  'rate-limit': { type: 'string' },
  'on-error': { type: 'string' },
  'connect-to': { type: 'string', multiple: true },
  help: { type: 'boolean' },
} as const satisfies ParseArgsConfig['options'];

type Command = { readonly server: ServerOptions; readonly asJson: boolean };

export async function startCommand(args: readonly string[]): Promise<void> {
  await start(args).catch(fail);
}

async function start(args: readonly string[]): Promise<void> {
  const command = readCommand(args);
  if (command === null) {
    process.stdout.write(USAGE);
    return;
  }
  const starting = startServer(command.server);
  stopOnSignals(starting);
  const server = process.stderr.isTTY ? await showProgress('Starting', () => starting) : await starting;
  const { url, networkUrls, anonKey, serviceRoleKey, dbUrl } = server;
  const asJson = `${JSON.stringify({ url, anonKey, serviceRoleKey, dbUrl })}\n`;
  process.stdout.write(command.asJson ? asJson : `Weft ready: ${url}\n`);
  if (command.server.dir === null) process.stderr.write(IN_MEMORY);
  const forOthers = networkUrls.map((networkUrl) => `For others on the network: ${networkUrl}\n`).join('');
  if (forOthers !== '') (command.asJson ? process.stderr : process.stdout).write(forOthers);
}

/** Null: print the usage only. */
function readCommand(args: readonly string[]): Command | null {
  const { values, positionals } = parseOptions(args);
  const [name = 'start', ...rest] = positionals;
  if (values.help === true) return null;
  if (rest.length > 0 || (name !== 'start' && name !== 'backend')) {
    throw new StartError(`Unknown command: ${positionals.join(' ')}; it is start or backend.`);
  }
  if (values.memory === true && values.data !== undefined)
    throw new StartError('--memory and --data exclude each other.');
  const environment = readEnvironment(process.env);
  if (values.memory === true && environment.databaseUrl !== undefined)
    throw new StartError('--memory and DATABASE_URL exclude each other.');
  return {
    server: {
      port: readPort(values.port),
      host: values.host ?? DEFAULT_HOST,
      dir: values.memory === true ? null : resolve(values.data ?? 'data'),
      ...environment,
      staticDir: name === 'start' ? join(ROOT, 'dist') : null,
      publicUrl: readUrl(values['public-url']),
      allowedHosts: readHosts(values['allow-host']),
      trustedProxies: readAddresses('--trust-proxy', values['trust-proxy']),
      mailReaders: readAddresses('--mail-readers', values['mail-readers']),
      onError: readModule(values['on-error']),
      connectTo: readOrigins(values['connect-to']),
      ...(values['rate-limit'] === undefined ? {} : { limits: { requests: readRate(values['rate-limit']) } }),
    },
    asJson: values.json === true,
  };
}

function parseOptions(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
  } catch (cause) {
    throw new StartError(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

function readPort(text: string | undefined): number {
  if (text === undefined) return DEFAULT_PORT;
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) throw new StartError(`--port takes a number from 0 to 65535, not ${text}.`);
  return port;
}

function readUrl(text: string | undefined): string | null {
  return text === undefined ? null : readOrigin('--public-url', text);
}

const readOrigins = (texts: readonly string[] = []): readonly string[] =>
  texts.flatMap((text) => text.split(',')).map((text) => readOrigin('--connect-to', text.trim()));

function readOrigin(option: string, text: string): string {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol) || url.pathname !== '/' || url.search !== '' || url.hash !== '') {
    throw new StartError(`${option} takes an address like https://weft.example, not ${text}.`);
  }
  return url.origin;
}

function readModule(file: string | undefined): string | null {
  if (file === undefined) return null;
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw new StartError(`--on-error takes a file that can be read, not ${file}.`, { cause });
  }
}

function readHosts(texts: readonly string[] = []): readonly string[] {
  return texts
    .flatMap((text) => text.split(','))
    .map((text) => {
      const host = hostOf(text.trim());
      if (host === null) throw new StartError(`--allow-host takes names like weft.example, not ${text}.`);
      return host;
    });
}

function readAddresses(option: string, text = ''): AddressSet {
  const addresses = parseAddressSet(text);
  if (addresses === null) {
    throw new StartError(`${option} takes addresses and networks like 127.0.0.1,10.0.0.0/8, not ${text}.`);
  }
  return addresses;
}

/** The burst is five seconds' worth, because a page loads many files at once. */
function readRate(text: string): Rate {
  const perSecond = Number(text);
  if (!/^\d+$/.test(text) || perSecond < 1) throw new StartError(`--rate-limit takes a number from 1 on, not ${text}.`);
  return { perSecond, burst: 5 * perSecond };
}

function stopOnSignals(starting: Promise<RunningServer>): void {
  let stopping = false;
  const stop = () => {
    // A second signal ends at once. The data survives that as it survives SIGKILL.
    if (stopping) process.exit(1);
    stopping = true;
    starting
      .then((server) => server.close())
      .then(
        () => process.exit(0),
        (error: unknown) => fail(error),
      );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

function fail(error: unknown): void {
  const message = error instanceof StartError ? error.message : error instanceof Error ? error.stack : String(error);
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
