// The memory server has every branch of append_update (supabase/schemas/10_reading_and_writing.sql). tests/contract checks
// what the memory server and the database have in common; these are rare cases that only simulations reach.
import { beforeEach, describe, expect, test } from 'vitest';
import type { Append } from 'weft-sync/ports.ts';
import { MAX_DEPENDENCIES, MAX_UPDATE_BYTES } from 'weft-sync/protocol/limits.ts';
import type { Part } from 'weft-sync/protocol/row.ts';
import { MemoryServer } from 'weft-sync/testing/memory-server.ts';
import { SimClock } from 'weft-sync/testing/sim-clock.ts';
import { SCHEMA_VERSION } from '../../../src/protocol/limits.ts';
import { bytes, codeOf, newClientId, newSession, value } from '../../contract/contract-fixture.ts';
import { DOCUMENT, userId } from '../sync-harness.ts';

const [alice, bob, carol] = [userId(1), userId(2), userId(3)];
let server: MemoryServer;

beforeEach(() => {
  server = new MemoryServer(new SimClock(), SCHEMA_VERSION);
  server.createDocument(DOCUMENT);
  for (const user of [alice, bob]) server.setRole(DOCUMENT, user, 'editor');
  server.setRole(DOCUMENT, carol, 'viewer');
});

async function tabOf(user: typeof alice) {
  const session = newSession();
  const clientId = newClientId();
  const log = server.log(user);
  await value(log.startSession({ document: DOCUMENT, session, clientId, schemaVersion: 1 }));
  const part = (nFrom: number, nTo: number): Part => ({ session, clientId, nFrom, nTo, update: bytes(0, 0, nTo) });
  const append = (nFrom: number, nTo: number, more: Partial<Append> = {}) =>
    log.append({
      document: DOCUMENT,
      session,
      nFrom,
      nTo,
      update: nTo === 0 ? bytes() : bytes(0, 0, nTo),
      dependencies: [],
      knownSeq: server.rows(DOCUMENT).length,
      schemaVersion: 1,
      livePeers: null,
      ...more,
    });
  return { log, session, clientId, part, append, relay: (...dependencies: Part[]) => append(0, 0, { dependencies }) };
}

describe('a relay', () => {
  test('appends edits of others in a row without own edits, and leaves everyone’s last number as it is', async () => {
    const [mine, theirs] = [await tabOf(alice), await tabOf(bob)];
    await value(mine.append(1, 2));
    const answer = await value(mine.relay(theirs.part(1, 3)));
    expect(answer).toMatchObject({ seq: 2, lastN: 2, head: 2, more: false });
    expect(answer.rows).toEqual([
      {
        seq: 2,
        at: server.rows(DOCUMENT)[1]?.at,
        follows: server.rows(DOCUMENT)[0]?.at,
        session: mine.session,
        clientId: mine.clientId,
        nFrom: 0,
        nTo: 0,
        update: bytes(),
        dependencies: [theirs.part(1, 3)],
      },
    ]);
    expect(server.appendedBy(DOCUMENT, 2)).toBe(alice);
    expect(await value(theirs.append(1, 3))).toMatchObject({ seq: 3, lastN: 3 });
    expect(await value(mine.append(1, 2))).toMatchObject({ seq: 1, lastN: 2 });
  });

  test('appends nothing and answers with the head if the log has all parts already', async () => {
    const [mine, theirs] = [await tabOf(alice), await tabOf(bob)];
    await value(theirs.append(1, 2));
    await value(mine.append(1, 1));
    expect(await value(mine.append(0, 0, { dependencies: [theirs.part(1, 2)], knownSeq: 0 }))).toMatchObject({
      seq: 2,
      lastN: 1,
      head: 2,
      rows: [{ seq: 1 }, { seq: 2 }],
    });
    expect(server.rows(DOCUMENT)).toHaveLength(2);
  });

  test('is rejected if an author may no longer edit, unless the log has their part already', async () => {
    const [mine, theirs] = [await tabOf(alice), await tabOf(bob)];
    await value(theirs.append(1, 1));
    server.setRole(DOCUMENT, bob, 'viewer');
    const refused = await mine.relay(theirs.part(2, 2));
    expect(refused).toEqual({
      ok: false,
      error: { code: 'WF005', detail: 'dependencies: its author may no longer edit' },
    });
    expect(await value(mine.relay(theirs.part(1, 1)))).toMatchObject({ seq: 1 });
    server.setRole(DOCUMENT, bob, null);
    expect(await codeOf(mine.relay(theirs.part(2, 2)))).toBe('WF005');
    expect(await value(mine.append(1, 1, { dependencies: [theirs.part(2, 2)] }))).toMatchObject({
      seq: 2,
      rows: [{ session: mine.session, dependencies: [theirs.part(2, 2)] }],
    });
    expect(server.appendedBy(DOCUMENT, 2)).toBe(alice);
  });

  test('without parts, or with own edits, is rejected', async () => {
    const [mine, theirs] = [await tabOf(alice), await tabOf(bob)];
    expect(await codeOf(mine.relay())).toBe('WF005');
    expect(await codeOf(mine.append(0, 0, { update: bytes(0, 0), dependencies: [theirs.part(1, 1)] }))).toBe('WF005');
    expect(await codeOf(mine.append(0, 1, { dependencies: [theirs.part(1, 1)] }))).toBe('WF005');
    expect(server.rows(DOCUMENT)).toHaveLength(0);
  });
});

describe('dependencies', () => {
  test('of an unknown session reject the append before its author’s rights are checked', async () => {
    const mine = await tabOf(alice);
    const unregistered: Part = { session: newSession(), clientId: 4711, nFrom: 1, nTo: 1, update: bytes(0, 0) };
    for (const answer of [mine.append(1, 1, { dependencies: [unregistered] }), mine.relay(unregistered)]) {
      expect(await answer).toEqual({
        ok: false,
        error: { code: 'WF016', detail: 'dependencies: a session is not registered here' },
      });
    }
  });

  test('keep their order and get the registered client id, whatever the caller claims', async () => {
    const [mine, one, two] = [await tabOf(alice), await tabOf(bob), await tabOf(bob)];
    await value(one.append(1, 2));
    const dependencies = [two.part(1, 1), one.part(1, 2), { ...one.part(2, 3), clientId: 4711 }];
    const [row] = (await value(mine.append(1, 1, { dependencies }))).rows;
    expect(row?.dependencies).toEqual([two.part(1, 1), one.part(2, 3)]);
  });

  test('that are malformed or too large are rejected, even in a repeated append, because parsing comes first', async () => {
    const [mine, theirs] = [await tabOf(alice), await tabOf(bob)];
    await value(mine.append(1, 1));
    const large = { ...theirs.part(1, 1), update: new Uint8Array(MAX_UPDATE_BYTES) };
    const bad: Part[][] = [
      [{ ...theirs.part(1, 1), nFrom: 0 }],
      [{ ...theirs.part(1, 1), nFrom: 2 }],
      [{ ...theirs.part(1, 1), update: bytes() }],
      [{ ...large, update: new Uint8Array(MAX_UPDATE_BYTES + 1) }],
      [large, large, large, large, theirs.part(1, 1)],
      Array.from({ length: MAX_DEPENDENCIES + 1 }, () => theirs.part(1, 1)),
    ];
    for (const dependencies of bad) expect(await codeOf(mine.append(1, 1, { dependencies }))).toBe('WF005');
    expect(await codeOf(mine.append(2, 2, { dependencies: [large, large, large, large] }))).toBe('ok');
  });

  test('are not appended after a gap or by a repeated append', async () => {
    const [mine, theirs] = [await tabOf(alice), await tabOf(bob)];
    const dependencies = [theirs.part(1, 1)];
    expect(await value(mine.append(3, 3, { dependencies }))).toMatchObject({ seq: null, lastN: 0, rows: [] });
    await value(mine.append(1, 3));
    expect(await value(mine.append(2, 3, { dependencies }))).toMatchObject({ seq: 1, lastN: 3, rows: [] });
    expect(server.rows(DOCUMENT)).toHaveLength(1);
  });
});

describe('the order of rejections', () => {
  test('is: malformed call, role, session, schema version', async () => {
    const mine = await tabOf(alice);
    const call = (user: typeof alice, more: Partial<Append>) =>
      codeOf(
        server.log(user).append({
          document: DOCUMENT,
          session: mine.session,
          nFrom: 1,
          nTo: 1,
          update: bytes(0, 0),
          dependencies: [],
          knownSeq: 0,
          schemaVersion: 1,
          livePeers: 0,
          ...more,
        }),
      );
    expect(await call(userId(9), { nFrom: 2 })).toBe('WF005');
    expect(await call(userId(9), { knownSeq: -1 })).toBe('WF005');
    expect(await call(userId(9), { schemaVersion: 0 })).toBe('WF005');
    expect(await call(userId(9), { schemaVersion: SCHEMA_VERSION + 1 })).toBe('WF011');
    expect(await call(userId(9), {})).toBe('WF001');
    expect(await call(carol, {})).toBe('WF002');
    server.setSchemaVersion(DOCUMENT, SCHEMA_VERSION + 1);
    expect(await call(bob, {})).toBe('WF005');
    expect(await call(alice, {})).toBe('WF004');
    expect(await call(alice, { schemaVersion: SCHEMA_VERSION + 1 })).toBe('ok');
  });

  test('a session is rejected for its schema before its client id', async () => {
    const start = { document: DOCUMENT, session: newSession(), clientId: 7, schemaVersion: 1 };
    const log = server.log(alice);
    expect(await codeOf(log.startSession(start))).toBe('WF006');
    expect(await codeOf(log.startSession({ ...start, schemaVersion: SCHEMA_VERSION + 1 }))).toBe('WF011');
    server.setSchemaVersion(DOCUMENT, SCHEMA_VERSION + 1);
    expect(await codeOf(log.startSession(start))).toBe('WF004');
    expect(await codeOf(server.log(carol).startSession(start))).toBe('WF002');
  });
});

test('sessionInfo answers the role of every author, null without access', async () => {
  const [mine, theirs] = [await tabOf(alice), await tabOf(bob)];
  await value(theirs.append(1, 4));
  server.setRole(DOCUMENT, bob, null);
  const infos = await value(mine.log.sessionInfo(DOCUMENT, [theirs.session, newSession(), mine.session]));
  expect(infos).toEqual([
    { session: theirs.session, clientId: theirs.clientId, user: bob, lastN: 4, role: null },
    { session: mine.session, clientId: mine.clientId, user: alice, lastN: 0, role: 'editor' },
  ]);
});
