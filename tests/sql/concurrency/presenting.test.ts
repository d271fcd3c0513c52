// Several people begin to present at the same moment, and rights are taken away meanwhile.
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { useConnections } from './connections.ts';

const connections = useConnections(8);
const PLACE = { block: 'top', offset: 0 };

test('if eight people begin at once exactly one presents, and the others are refused', async () => {
  const { pool, control, fixture, newPage } = connections();
  const people = [fixture.people.owner, fixture.people.admin];
  for (let round = 0; round < 10; round += 1) {
    const page = await newPage();
    const outcomes = await Promise.all(
      pool.map((connection, at) =>
        connection.outcome(people[at % 2] ?? fixture.people.owner, 'present', {
          document: page,
          session: randomUUID(),
          place: PLACE,
          starts: at < 2,
        }),
      ),
    );
    expect([...new Set(outcomes)].toSorted()).toEqual(['WF015', 'ok']);
    const rows = await control.rows<{ place: unknown }>('select place from weft.presenters where document_id = $1', [
      page,
    ]);
    expect(rows).toEqual([{ place: PLACE }]);
  }
});

test('a person who loses the right while they begin or go on never presents afterwards', async () => {
  const { pool, control, fixture, newPage } = connections();
  const { owner, editor } = fixture.people;
  for (let round = 0; round < 12; round += 1) {
    const page = await newPage();
    await control.call(owner, 'set_document_member', { document: page, person: editor.id, role: 'editor' });
    const session = randomUUID();
    const call = { document: page, session, place: PLACE, starts: round % 2 === 0 };
    if (round % 3 === 0) await control.call(editor, 'present', { ...call, starts: true });
    const [taken, ...outcomes] = await Promise.all([
      pool[0]?.outcome(owner, 'set_document_member', { document: page, person: editor.id, role: 'viewer' }),
      ...pool.slice(1).map((connection) => connection.outcome(editor, 'present', call)),
    ]);
    expect(taken).toBe('ok');
    expect(outcomes.filter((outcome) => !['ok', 'WF002'].includes(outcome))).toEqual([]);
    const left = await control.rows('select from weft.presenters where document_id = $1 and place is not null', [page]);
    expect(left).toEqual([]);
  }
});
