// Gap: @supabase/lite 0.10.0 prints every refusal to standard error, with its stack: of row level security and of our own
// functions (statement and parameters included, password hashes among them), and of a table or an operator that there is
// not. It also warns about Storage.
import { AsyncLocalStorage } from 'node:async_hooks';
import { MappedError } from './error-mapping.ts';
import type { Repair } from '../http/fetch.ts';

/** Classes that say the database itself is in trouble: resources, operator, system, internal. */
const WORTH_READING = /^(?:53|54|57|58|F0|XX)/;

export const isWorthReading = (sqlState: string): boolean => WORTH_READING.test(sqlState);

/** What was said while a request was answered: whether it is worth reading is known with the answer. */
const complaints = new AsyncLocalStorage<unknown[][]>();

/** In front of lite: of what is no error of the database, only what made it fail is printed. */
export const listening: Repair = (next) => async (request, peerAddress) => {
  const said: unknown[][] = [];
  const response = await complaints.run(said, () => next(request, peerAddress));
  for (const parts of said) {
    if (sqlStateOf(parts[0]) !== null || response.status >= 500) globalThis.console.error(...parts);
  }
  return response;
};

/** How many want it quiet now; the console is replaced once, whoever comes and goes in whatever order. */
let quieting = 0;
let restore = (): void => {};

/** Stops the noise until called back, once. Errors that an operator should know come through as one line. */
export function quietLog(): () => void {
  if (quieting++ === 0) restore = replaceConsole();
  return () => {
    if (--quieting === 0) restore();
  };
}

function replaceConsole(): () => void {
  const log = globalThis.console;
  const { error, warn } = log;
  log.error = (...parts: unknown[]) => {
    const said = complaints.getStore();
    if (said !== undefined) said.push(parts);
    else if (!isRefusal(parts[0])) error(...parts.map(withoutParameters));
  };
  log.warn = (...parts: unknown[]) => {
    if (!String(parts[0]).startsWith('EXPERIMENTAL FEATURES ENABLED')) warn(...parts);
  };
  return () => {
    log.error = error;
    log.warn = warn;
  };
}

const isRefusal = (part: unknown): boolean => {
  const state = sqlStateOf(part);
  return state !== null && !isWorthReading(state);
};

const withoutParameters = (part: unknown): unknown => {
  const state = sqlStateOf(part);
  return state !== null && part instanceof Error ? `${state}: ${part.message}` : part;
};

function sqlStateOf(part: unknown): string | null {
  if (part instanceof MappedError) return part.sqlState;
  const isOfDatabase = part instanceof Error && 'severity' in part && 'code' in part;
  return isOfDatabase && typeof part.code === 'string' ? part.code : null;
}
