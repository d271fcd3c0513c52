// Parses one entry of a join's `postgres_changes`: the action, the table, the filters and the columns.
import { createHash } from 'node:crypto';
import { type Result, err, ok } from '../../../src/lib/result.ts';
import { type ChangeFilter, parseChangeFilters } from './change-filter.ts';
import { inspectTerm } from '../wire/inspect-term.ts';
import type { JsonObject } from '../wire/wire-message.ts';

export type ChangeRequest = {
  readonly action: '*' | 'INSERT' | 'UPDATE' | 'DELETE';
  /** '*' means any. */
  readonly schema: string;
  readonly table: string;
  readonly filters: readonly ChangeFilter[];
  /** Null: all columns. */
  readonly columns: readonly string[] | null;
};

/** The error is that of Supabase Realtime, word for word. */
export function parseChangeRequest(params: JsonObject): Result<ChangeRequest, string> {
  const { schema, table, filter, select } = params;
  if (typeof select === 'string') {
    return err('Error parsing `select` params: expected a list of column name strings, e.g. select: ["col1", "col2"]');
  }
  const named = Array.isArray(select) ? select.filter((column) => typeof column === 'string') : [];
  const place = parseTable(schema, table, filter);
  if (place === null) {
    const shown = 'user_token' in params || 'auth_token' in params ? '<redacted>' : inspectTerm(params);
    return err(
      `No subscription params provided. Please provide at least a \`schema\` or \`table\` to subscribe to: ${shown}`,
    );
  }
  const filters = parseChangeFilters(typeof filter === 'string' ? filter : '');
  if (!filters.ok) return err(`Error parsing \`filter\` params: ${filters.error}`);
  if (named.length > 0 && (place.schema === '*' || place.table === '*')) {
    return err(
      'Column selection is not supported for wildcard subscriptions. Provide an explicit schema and table name.',
    );
  }
  return ok({
    action: parseAction(params['event']),
    ...place,
    filters: filters.value,
    columns: named.length > 0 ? named : null,
  });
}

/**
 * The id by which the client finds its subscription: equal for equal parameters, and 27 bits long as in Supabase
 * Realtime.
 */
export function changeId(params: JsonObject): number {
  const text = JSON.stringify(Object.entries(params).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  return createHash('sha256').update(text).digest().readUInt32BE(0) % 2 ** 27;
}

/** Formats a request like the log and the error messages of Supabase Realtime. */
export function describeChangeRequest({ action, schema, table, filters, columns }: ChangeRequest): string {
  const tuples = filters.map(({ column, op, value, negate }) => {
    const quoted = [column, op, value].map((part) => JSON.stringify(part));
    return `{${[...quoted, negate].join(', ')}}`;
  });
  const parts = { event: action, schema, table, filters: `[${tuples.join(', ')}]`, select: inspectTerm(columns) };
  return Object.entries(parts)
    .map(([name, part]) => `${name}: ${part}`)
    .join(', ');
}

function parseTable(schema: unknown, table: unknown, filter: unknown): { schema: string; table: string } | null {
  if (typeof schema === 'string' && typeof table === 'string') {
    return filter === undefined || typeof filter === 'string' ? { schema, table } : null;
  }
  if (filter !== undefined) return null;
  if (typeof schema === 'string' && table === undefined) return { schema, table: '*' };
  if (typeof table === 'string' && schema === undefined) return { schema: 'public', table };
  return null;
}

function parseAction(event: unknown): ChangeRequest['action'] {
  const action = typeof event === 'string' ? event.toUpperCase() : '*';
  return action === 'INSERT' || action === 'UPDATE' || action === 'DELETE' ? action : '*';
}
