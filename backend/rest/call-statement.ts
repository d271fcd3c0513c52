// One call of a function as one SQL statement. Identifiers and types come from the catalogue, what the caller sent is
// always a parameter.
import type { Argument, RpcFunction } from './function-catalogue.ts';

export type Statement = { readonly sql: string; readonly params: readonly string[] };

/** Columns of the answer, named so that no column of a function is called the same: its one value, and what it said. */
export const ANSWER = 'weft: answer';
export const SAID_STATUS = 'weft: response.status';
export const SAID_HEADERS = 'weft: response.headers';

/**
 * The one that these arguments fit: all of them are its own, and none it needs is missing. Null when none or several do;
 * a refusal then, for somebody else to word.
 */
export function chooseFunction(functions: readonly RpcFunction[], given: ReadonlySet<string>): RpcFunction | null {
  const fitting = functions.filter(({ args }) => {
    const names = new Set(args.map(({ name }) => name));
    return (
      [...given].every((name) => name !== '' && names.has(name)) &&
      args.every(({ name, isRequired }) => !isRequired || (name !== '' && given.has(name)))
    );
  });
  return fitting.length === 1 ? (fitting[0] ?? null) : null;
}

/** `json`: an object whose keys are `given`. The database reads each value as the type of its argument, as PostgREST has it do. */
export function callWithJson(fn: RpcFunction, given: ReadonlySet<string>, json: string): Statement {
  const args = fn.args.filter(({ name }) => given.has(name));
  if (args.length === 0) return { sql: `select ${columns(fn)} from ${call(fn, [])}`, params: [] };
  const fields = args.map(({ identifier, type }) => `${identifier} ${type}`).join(', ');
  const source = `pg_catalog.json_to_record($1::json) as "weft: arguments"(${fields})`;
  const values = args.map((arg) => named(arg, `"weft: arguments".${arg.identifier}`));
  return { sql: `select ${columns(fn)} from ${source}, lateral ${call(fn, values)}`, params: [json] };
}

/** `given`: as they stand in an address. */
export function callWithTexts(fn: RpcFunction, given: ReadonlyMap<string, string>): Statement {
  const args = fn.args.filter(({ name }) => given.has(name));
  const values = args.map((arg, at) => named(arg, `$${at + 1}::text::${arg.type}`));
  const params = args.map(({ name }) => given.get(name) ?? '');
  return { sql: `select ${columns(fn)} from ${call(fn, values)}`, params };
}

const SAID = [
  `pg_catalog.current_setting('response.status', true) as "${SAID_STATUS}"`,
  `pg_catalog.current_setting('response.headers', true) as "${SAID_HEADERS}"`,
];

/** What a function says is there after it ran; a set may be empty and has no row then to say it in. */
const columns = (fn: RpcFunction): string => [`"${ANSWER}".*`, ...(fn.isSet ? [] : SAID)].join(', ');

const named = (arg: Argument, value: string): string => `${arg.identifier} := ${value}`;

const call = (fn: RpcFunction, values: readonly string[]): string =>
  `${fn.reference}(${values.join(', ')}) as "${ANSWER}"`;
