// The tables and functions that the API exposes, read from the schema, so that new ones are listed automatically.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../../scripts/root.mjs';

export type PublicFunction = { readonly name: string; readonly args: readonly { name: string; type: string }[] };

const FOLDER = join(ROOT, 'supabase', 'schemas');

const schema = (): string =>
  readdirSync(FOLDER)
    .map((file) => readFileSync(join(FOLDER, file), 'utf8').replaceAll(/--.*$/gm, ''))
    .join('\n');

export function publicTables(): string[] {
  return Array.from(schema().matchAll(/create table public\.(\w+)/g), (found) => found[1] ?? '');
}

/** Without trigger functions, which the API cannot call. */
export function publicFunctions(): PublicFunction[] {
  const form = /create function public\.(\w+)\s*\(([^)]*)\)\s*returns\s+(\w+)/g;
  return Array.from(schema().matchAll(form), (found) => ({
    name: found[1] ?? '',
    args: (found[2] ?? '')
      .split(',')
      .map((arg) => arg.trim())
      .filter(Boolean)
      .map((arg) => {
        const [name = '', type = ''] = arg.replaceAll('"', '').split(/\s+/);
        return { name, type };
      }),
    returns: found[3] ?? '',
  })).filter(({ returns }) => returns !== 'trigger');
}
