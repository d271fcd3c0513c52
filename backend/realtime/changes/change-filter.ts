// Parses the filters of a `postgres_changes` subscription: "id=gt.3,name=in.(a,b)". Pure; the database checks whether
// columns and values fit the table.
import { type Result, err, ok } from '../../../src/lib/result.ts';
import { inspectTerm } from '../wire/inspect-term.ts';

const OPERATORS: readonly string[] = [
  ...['eq', 'neq', 'lt', 'lte', 'gt', 'gte', 'in'],
  ...['like', 'ilike', 'is', 'match', 'imatch', 'isdistinct'],
];

export type ChangeFilter = {
  readonly column: string;
  readonly op: string;
  /** For `in`, an array literal of Postgres. */
  readonly value: string;
  /** True for "id=not.eq.3". */
  readonly negate: boolean;
};

/** Rows must match all filters. The error is that of Supabase Realtime. */
export function parseChangeFilters(text: string): Result<readonly ChangeFilter[], string> {
  const filters: ChangeFilter[] = [];
  if (text.trim() === '') return ok(filters);
  for (const part of splitAtCommas(text)) {
    const filter = parseFilter(part.trim());
    if (!filter.ok) return filter;
    filters.push(filter.value);
  }
  return ok(filters);
}

function parseFilter(text: string): Result<ChangeFilter, string> {
  if (text === '') return err('filter must not contain empty segments (check for extra commas)');
  const [column, condition] = splitOnce(text, '=');
  if (condition === undefined) return err(inspectTerm([text]));
  const negate = condition.startsWith('not.');
  const positive = negate ? condition.slice('not.'.length) : condition;
  const [op, value] = splitOnce(positive, '.');
  if (value === undefined) return err(inspectTerm([positive]));
  if (!OPERATORS.includes(op)) return err(inspectTerm([op, value]));
  if (op !== 'in') return ok({ column, op, value: unquoted(value), negate });
  return value.startsWith('(') && value.endsWith(')') && value.length > 1
    ? ok({ column, op, value: `{${value.slice(1, -1)}}`, negate })
    : err('`in` filter value must be wrapped by parentheses');
}

/** Ignores commas inside parentheses or quotes; a quote counts only where a value begins. */
function splitAtCommas(text: string): string[] {
  const parts: string[] = [];
  let part = '';
  let depth = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at);
    if (quoted && char === '\\') {
      part += char + text.charAt(++at);
      continue;
    }
    if (char === '"' && (quoted || /[.(,]/.test(text.charAt(at - 1)))) quoted = !quoted;
    else if (char === '(' && !quoted) depth++;
    else if (char === ')' && !quoted) depth = Math.max(0, depth - 1);
    if (char === ',' && !quoted && depth === 0) {
      parts.push(part);
      part = '';
    } else {
      part += char;
    }
  }
  return [...parts, part];
}

/** Turns "\"a, b\"" into "a, b"; text that is not quoted as a whole stays unchanged. */
function unquoted(value: string): string {
  return /^"(?:[^"\\]|\\.)*"$/s.test(value) ? value.slice(1, -1).replaceAll(/\\(.)/gs, '$1') : value;
}

function splitOnce(text: string, separator: string): [string, string | undefined] {
  const at = text.indexOf(separator);
  return at === -1 ? [text, undefined] : [text.slice(0, at), text.slice(at + separator.length)];
}
