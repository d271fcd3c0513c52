// Reads supabase/schemas: the tables, the functions that the API exposes, and who may call them. One file is one subject.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './root.mjs';

const FOLDER = join(ROOT, 'supabase/schemas');

export type SchemaTable = {
  /** With its schema. */
  readonly name: string;
  readonly isUnlogged: boolean;
  /** The lines with its columns and constraints. */
  readonly columns: string;
  readonly comment: string;
};

export type SchemaFunction = {
  readonly name: string;
  /** Each with name, type and default. */
  readonly args: readonly string[];
  readonly returns: string;
  readonly comment: string;
  /** The roles as the grant names them. Null if the API cannot call it. */
  readonly callers: string | null;
};

export type SchemaSubject = {
  readonly file: string;
  readonly tables: readonly SchemaTable[];
  /** Those of `public`. */
  readonly functions: readonly SchemaFunction[];
};

/** Leaves out what stands above an empty line: that is about more than one object. */
const COMMENT = String.raw`((?:^--.*\n)*)`;
const TABLE = new RegExp(`${COMMENT}^create (unlogged )?table ([\\w.]+) \\(\\n([\\s\\S]*?)^\\)`, 'gm');
const FUNCTION = new RegExp(`${COMMENT}^create function public\\.(\\w+)\\(([^)]*)\\)\\s+returns (\\w+)`, 'gm');
const GRANT = /^grant execute on function\n([\s\S]*?)\nto ([\w, ]+);/gm;

export const readSchema = (): readonly SchemaSubject[] => readdirSync(FOLDER).toSorted().map(readSubject);

function readSubject(file: string): SchemaSubject {
  const sql = readFileSync(join(FOLDER, file), 'utf8');
  const callers = new Map<string, string>();
  for (const [, names = '', roles = ''] of sql.matchAll(GRANT)) {
    for (const name of names.split(',')) callers.set(name.trim(), roles);
  }
  const tables = Array.from(sql.matchAll(TABLE), ([, comment = '', unlogged, name = '', columns = '']) => ({
    name,
    isUnlogged: unlogged !== undefined,
    columns,
    comment,
  }));
  const functions = Array.from(sql.matchAll(FUNCTION), ([, comment = '', name = '', args = '', returns = '']) => ({
    name,
    args: args
      .split(',')
      .map((arg) => arg.trim())
      .filter((arg) => arg !== ''),
    returns,
    comment,
    callers: callers.get(`public.${name}`) ?? null,
  }));
  return { file, tables, functions };
}
