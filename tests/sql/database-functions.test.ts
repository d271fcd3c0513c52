// The list by which a project is checked for the newest migrations is what the database has.
import { expect, test } from 'vitest';
import { DATABASE_FUNCTIONS } from '../../src/protocol/database-functions.ts';
import { useWorkspace } from './fixture/use-workspace.ts';

const withWorkspace = useWorkspace();

test(
  'the list of functions names all that people may call, with their arguments',
  withWorkspace(async (sql) => {
    const functions = await sql.rows<{ name: string; parameters: string[] }>(
      `select proname as name, coalesce(proargnames[1:pronargs], '{}') as parameters
       from pg_proc
       where pronamespace = 'public'::regnamespace and prorettype <> 'trigger'::regtype
         and has_function_privilege('authenticated', oid, 'execute')
       order by proname`,
    );
    expect(Object.fromEntries(functions.map(({ name, parameters }) => [name, parameters]))).toEqual(DATABASE_FUNCTIONS);
  }),
);
