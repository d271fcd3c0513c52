// Many devices put the same back at once, after the server was restored (HI4 of src/sync/SPEC.md).
import { expect, test } from 'vitest';
import { SEED_SESSION } from 'weft-sync/protocol/ids.ts';
import { appendAnswer } from 'weft-sync/protocol/log-answers.ts';
import { base64 } from '../../support/database/sql.ts';
import { useConnections } from './connections.ts';
import { readLog } from './log-checks.ts';

const connections = useConnections(8);

const argsOf = (document: string, known: number, at: number | null, byte: number) => ({
  document,
  known_seq: known,
  known_at: at,
  update: base64(byte),
  schema_version: 1,
  live_peers: null,
  row_version: 4,
});

test('[HI4] if eight devices put back at once one does, the others get its row, and one version is made', async () => {
  const { pool, control, fixture, newPage } = connections();
  const { owner, admin, member } = fixture.people;
  for (let round = 0; round < 10; round++) {
    const page = await newPage();
    const at = (await readLog(control, page))[0]?.at ?? 0;
    const answers = await Promise.all(
      pool.map((connection, i) =>
        connection.ask([owner, admin, member][i % 3] ?? owner, appendAnswer, 'put_back', argsOf(page, 1, at, i)),
      ),
    );
    expect(answers.flatMap(({ seq }) => seq ?? [])).toEqual([2]);
    const log = await readLog(control, page);
    expect(log.map(({ session }) => session)).toEqual([SEED_SESSION, SEED_SESSION]);
    // The one who came late has what the first one put back, and may put back the rest.
    for (const { rows, head } of answers) {
      expect(head).toBe(2);
      expect(rows.map(({ seq, update }) => [seq, update])).toEqual([[2, log[1]?.update]]);
    }
    const versions = await control.rows(
      'select seq::integer, kind from public.document_versions where document_id = $1',
      [page],
    );
    expect(versions).toEqual([{ seq: 1, kind: 'putBack' }]);
  }
});

test('[HI4] eight devices that take the rows and try again put back one row each, among the edits of others', async () => {
  const { pool, control, fixture, newPage } = connections();
  const { owner } = fixture.people;
  const page = await newPage();
  await Promise.all(
    pool.map(async (connection, i) => {
      if (i % 2 === 0) {
        const session = await connection.startSession(owner, page, 10_000 + i);
        for (let n = 1; n <= 20; n++) await connection.append(owner, { document: page, session, nFrom: n, nTo: n });
        return;
      }
      let [known, at] = [1, (await readLog(connection, page))[0]?.at ?? 0];
      for (;;) {
        const answer = await connection.ask(owner, appendAnswer, 'put_back', argsOf(page, known, at, i));
        if (answer.seq !== null) return;
        const last = answer.rows.at(-1);
        [known, at] = [last?.seq ?? known, last?.at ?? at];
      }
    }),
  );
  const log = await readLog(control, page);
  expect(log.map(({ seq }) => seq)).toEqual(Array.from({ length: 1 + 80 + 4 }, (_, at) => at + 1));
  const putBack = log.slice(1).filter(({ session }) => session === SEED_SESSION);
  expect(putBack.map(({ update }) => update[0]).toSorted()).toEqual([1, 3, 5, 7]);
});
