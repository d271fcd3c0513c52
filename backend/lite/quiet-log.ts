// Gap: @supabase/lite 0.10.0 prints every refused statement with its stack to standard error, ordinary refusals by row level
// security and by our own functions included, and warns about its storage experiment. Neither helps an operator.
import { MappedError } from './error-mapping.ts';

/** Classes that say the database itself is in trouble: resources, operator, system, internal. */
const WORTH_READING = /^(?:53|54|57|58|F0|XX)/;

/** Stops the noise until called back. Everything else still reaches the console. */
export function quietLog(): () => void {
  const log = globalThis.console;
  const { error, warn } = log;
  log.error = (...parts: unknown[]) => {
    if (!isRefusal(parts[0])) error(...parts);
  };
  log.warn = (...parts: unknown[]) => {
    if (!String(parts[0]).startsWith('EXPERIMENTAL FEATURES ENABLED')) warn(...parts);
  };
  return () => {
    log.error = error;
    log.warn = warn;
  };
}

function isRefusal(part: unknown): boolean {
  if (part instanceof MappedError) return !WORTH_READING.test(part.sqlState);
  if (!(part instanceof Error) || !('severity' in part) || !('code' in part)) return false;
  return typeof part.code === 'string' && !WORTH_READING.test(part.code);
}
