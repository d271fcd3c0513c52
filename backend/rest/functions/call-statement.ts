// One call of a function as one SQL statement whose one row is the whole answer. The database writes the JSON, as it does for
// PostgREST: no number loses a digit on the way. Identifiers and types come from the catalogue, what the caller sent is
// always a parameter.
import type { Argument, RpcFunction } from './function-catalogue.ts';

export type Statement = { readonly sql: string; readonly params: readonly string[] };

/** What the statement's row holds: the JSON, of how many rows, and what the function said of status and headers. */
export type AnswerRow = {
  readonly body: string | null;
  readonly count: number;
  readonly status: string | null;
  readonly headers: string | null;
};

/** Named so that no column of a function is called the same. */
const VALUE = '"weft: value"';
const ROW = '"weft: row"';
const ARGUMENTS = '"weft: arguments"';

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

/** The keys of an object, or of each object of a list. */
export type JsonArguments = { readonly given: ReadonlySet<string>; readonly isList: boolean };

/**
 * `json` is such an object or list; of a list the first one counts. The database reads each value as the type of its
 * argument, as PostgREST has it do.
 */
export function callWithJson(fn: RpcFunction, { given, isList }: JsonArguments, json: string): Statement {
  const args = fn.args.filter(({ name }) => given.has(name));
  if (args.length === 0) return { sql: answering(fn, call(fn, [])), params: [] };
  const fields = args.map(({ identifier, type }) => `${identifier} ${type}`).join(', ');
  const source = `pg_catalog.json_to_record($1::json${isList ? ' -> 0' : ''}) as ${ARGUMENTS}(${fields})`;
  const values = args.map((arg) => named(arg, `${ARGUMENTS}.${arg.identifier}`));
  return { sql: answering(fn, `${source}, lateral ${call(fn, values)}`), params: [json] };
}

/** `given`: as they stand in an address. */
export function callWithTexts(fn: RpcFunction, given: ReadonlyMap<string, string>): Statement {
  const args = fn.args.filter(({ name }) => given.has(name));
  const values = args.map((arg, at) => named(arg, `$${at + 1}::text::${arg.type}`));
  const params = args.map(({ name }) => given.get(name) ?? '');
  return { sql: answering(fn, call(fn, values)), params };
}

/** Settings are read last: what a function says is there after it ran. */
function answering(fn: RpcFunction, source: string): string {
  const columns = [
    `${bodyOf(fn)} as body`,
    `${fn.isSet ? 'pg_catalog.count(*)' : '1'} as count`,
    `pg_catalog.current_setting('response.status', true) as status`,
    `pg_catalog.current_setting('response.headers', true) as headers`,
  ];
  return `select ${columns.join(', ')} from (select ${VALUE}.* from ${source}) as ${ROW}`;
}

function bodyOf({ returns, isSet }: RpcFunction): string {
  if (returns === 'void') return 'null';
  const value = returns === 'scalar' ? `${ROW}.${VALUE}` : ROW;
  return isSet
    ? `coalesce(pg_catalog.json_agg(${value})::text, '[]')`
    : `coalesce(pg_catalog.to_json(${value})::text, 'null')`;
}

const named = (arg: Argument, value: string): string => `${arg.identifier} := ${value}`;

const call = (fn: RpcFunction, values: readonly string[]): string =>
  `${fn.reference}(${values.join(', ')}) as ${VALUE}`;
