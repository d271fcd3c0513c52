// The tables and functions that the API exposes, read from the schema, so that new ones are listed automatically.
import { readSchema } from '../../../scripts/read-schema.ts';

export type PublicFunction = { readonly name: string; readonly args: readonly { name: string; type: string }[] };

export const publicTables = (): string[] =>
  readSchema()
    .flatMap(({ tables }) => tables)
    .filter(({ name }) => name.startsWith('public.'))
    .map(({ name }) => name.replace('public.', ''));

/** Without trigger functions, which the API cannot call. */
export const publicFunctions = (): PublicFunction[] =>
  readSchema()
    .flatMap(({ functions }) => functions)
    .filter(({ returns }) => returns !== 'trigger')
    .map(({ name, args }) => ({ name, args: args.map(nameAndType) }));

function nameAndType(arg: string): { name: string; type: string } {
  const [name = '', type = ''] = arg.replaceAll('"', '').split(/\s+/);
  return { name, type };
}
