// Gap: @supabase/lite 0.10.0 prints every refused statement to standard error, ordinary refusals by row level security and by
// our own functions included: stack, statement and parameters, password hashes among them. It also warns about Storage.
import { MappedError } from './error-mapping.ts';

/** Classes that say the database itself is in trouble: resources, operator, system, internal. */
const WORTH_READING = /^(?:53|54|57|58|F0|XX)/;

export const isWorthReading = (sqlState: string): boolean => WORTH_READING.test(sqlState);

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
    if (!isRefusal(parts[0])) error(...parts.map(withoutParameters));
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
