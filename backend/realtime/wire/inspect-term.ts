// Formats a JSON value like Elixir's `inspect`, as the error messages of Supabase Realtime do.
import { isJsonObject } from './wire-message.ts';

export function inspectTerm(value: unknown): string {
  if (value === null || value === undefined) return 'nil';
  if (Array.isArray(value)) return `[${value.map(inspectTerm).join(', ')}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `%{${entries.map(([key, each]) => `${JSON.stringify(key)} => ${inspectTerm(each)}`).join(', ')}}`;
}
