// The identity of a database, under which devices file what they hold of it.
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { databaseIdentity } from '../../src/protocol/answers.ts';
import { useWorkspace } from './fixture/use-workspace.ts';

const withWorkspace = useWorkspace();

test(
  'everyone is told the same identity, and the owner of a clone gives it one of its own',
  withWorkspace(async (sql, { people }) => {
    const ask = async (person: (typeof people)['owner']) =>
      (await sql.ask(person, databaseIdentity, 'database_identity', {})).database;
    const before = await ask(people.owner);
    expect(await ask(people.stranger)).toBe(before);

    for (const caller of ['anon', 'service', people.owner] as const)
      expect(await sql.outcome(() => sql.as(caller, 'select weft.new_database_identity()'))).toBe('42501');
    expect(await ask(people.owner)).toBe(before);

    await sql.rows('select weft.new_database_identity()');
    const after = await ask(people.owner);
    expect([after === before, after.length]).toEqual([false, randomUUID().length]);
  }),
);
