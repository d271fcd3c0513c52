// The contract of every Log and WatchLog. Runs against the memory server, the embedded backend and any Supabase project.
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { type SessionId, SEED_SESSION } from 'weft-sync/protocol/ids.ts';
import { MAX_UPDATE_BYTES } from 'weft-sync/protocol/limits.ts';
import { toHex } from '../../../src/lib/bytes.ts';
import { parseLinkSecret } from '../../../src/protocol/ids.ts';
import {
  type Member,
  type ContractFixture,
  bytes,
  codeOf,
  everyRow,
  newClientId,
  newSession,
  startedSession,
  value,
} from '../contract-fixture.ts';

export function logContract(newFixture: () => Promise<ContractFixture>): void {
  describe('[LG1] opening', () => {
    test('answers with document, role, epoch, head and everything in the log', async () => {
      const fixture = await newFixture();
      const opened = await value(fixture.editor.log.open(fixture.document, 0));
      expect(opened).toMatchObject({
        document: { title: expect.any(String) as string, updatedAt: expect.any(Number) as number },
        role: 'editor',
        head: 1,
        schemaVersion: 1,
      });
      expect(opened).toMatchObject({ snapshot: null, more: false });
      expect(opened.epoch).toMatch(/^\d+\.\d+$/);
      expect(opened.rows).toMatchObject([{ seq: 1, session: SEED_SESSION, dependencies: [] }]);
      expect((await value(fixture.viewer.log.open(fixture.document, 0))).role).toBe('viewer');
    });

    test('returns only the rows after `since`', async () => {
      const fixture = await newFixture();
      const { append } = await startedSession(fixture, fixture.editor);
      await value(fixture.editor.log.append(append(1, 1)));
      const opened = await value(fixture.other.log.open(fixture.document, 1));
      expect(opened.rows.map(({ seq }) => seq)).toEqual([2]);
      expect((await value(fixture.other.log.open(fixture.document, 2))).rows).toEqual([]);
      const since = await value(fixture.other.log.rowsSince(fixture.document, 0, 1));
      expect(since).toMatchObject({ head: 2, more: true, role: 'editor', epoch: opened.epoch });
      expect(since.rows.map(({ seq }) => seq)).toEqual([1]);
    });
  });

  describe('[LG2] appending', () => {
    test('answers with seq, lastN, head and every row the caller does not have, their own included', async () => {
      const fixture = await newFixture();
      const mine = await startedSession(fixture, fixture.editor);
      const theirs = await startedSession(fixture, fixture.other);
      await value(fixture.other.log.append(theirs.append(1, 3, { update: bytes(0, 0, 7) })));
      const answer = await value(fixture.editor.log.append(mine.append(1, 2, { knownSeq: 1 })));
      expect(answer).toMatchObject({ seq: 3, lastN: 2, head: 3, role: 'editor', more: false, unpublished: false });
      // `follows` is in messages of the database alone.
      expect(answer.rows.map(({ follows: _follows, ...row }) => row)).toEqual([
        {
          seq: 2,
          session: theirs.session,
          clientId: theirs.clientId,
          nFrom: 1,
          nTo: 3,
          update: bytes(0, 0, 7),
          dependencies: [],
          at: expect.any(Number),
        },
        {
          seq: 3,
          session: mine.session,
          clientId: mine.clientId,
          nFrom: 1,
          nTo: 2,
          update: bytes(0, 0),
          dependencies: [],
          at: expect.any(Number),
        },
      ]);
    });

    test('keeps bytes unchanged up to the limit and rejects larger updates', async () => {
      const fixture = await newFixture();
      const { append } = await startedSession(fixture, fixture.editor);
      const all = Uint8Array.from({ length: 256 }, (_, at) => at);
      await value(fixture.editor.log.append(append(1, 1, { update: all })));
      const large = new Uint8Array(MAX_UPDATE_BYTES).map((_, at) => (at * 31) % 251);
      await value(fixture.editor.log.append(append(2, 2, { update: large, knownSeq: 2 })));
      const { rows } = await value(fixture.other.log.rowsSince(fixture.document, 1, 500));
      expect(rows[0]?.update).toEqual(all);
      const rest = rows.length > 1 ? rows : (await value(fixture.other.log.rowsSince(fixture.document, 2, 500))).rows;
      expect(rest.at(-1)?.update.length).toBe(MAX_UPDATE_BYTES);
      expect(Buffer.compare(rest.at(-1)?.update ?? bytes(), large)).toBe(0);
      const tooLarge = new Uint8Array(MAX_UPDATE_BYTES + 1);
      expect(await codeOf(fixture.editor.log.append(append(3, 3, { update: tooLarge })))).toBe('WF005');
      expect(await codeOf(fixture.editor.log.append(append(3, 3, { update: bytes() })))).toBe('WF005');
    });

    test('outlives the page on request', async () => {
      const fixture = await newFixture();
      const { append } = await startedSession(fixture, fixture.editor);
      const answer = await value(fixture.editor.log.append(append(1, 1, { knownSeq: 1 }), { keepalive: true }));
      expect(answer).toMatchObject({ seq: 2, lastN: 1 });
      expect(answer.rows.map(({ seq }) => seq)).toEqual([2]);
      expect(await codeOf(fixture.editor.log.append(append(9, 8), { keepalive: true }))).toBe('WF005');
      expect(await codeOf(fixture.outsider.log.append(append(2, 2), { keepalive: true }))).toBe('WF001');
    });

    test('stores dependencies without changing their author’s numbers', async () => {
      const fixture = await newFixture();
      const mine = await startedSession(fixture, fixture.editor);
      const theirs = await startedSession(fixture, fixture.other);
      const part = { session: theirs.session, clientId: theirs.clientId, nFrom: 1, nTo: 2, update: bytes(0, 0, 5) };
      const answer = await value(fixture.editor.log.append(mine.append(1, 1, { dependencies: [part], knownSeq: 1 })));
      expect(answer.rows).toMatchObject([{ seq: 2, session: mine.session, dependencies: [part] }]);
      const [info] = await value(fixture.editor.log.sessionInfo(fixture.document, [theirs.session]));
      expect(info).toEqual({
        session: theirs.session,
        clientId: theirs.clientId,
        user: fixture.other.user,
        lastN: 0,
        role: 'editor',
      });
      await value(fixture.other.log.append(theirs.append(1, 2)));
      const again = await value(fixture.editor.log.append(mine.append(2, 2, { dependencies: [part], knownSeq: 3 })));
      expect(again.rows).toMatchObject([{ seq: 4, dependencies: [] }]);
    });
  });

  test('[D1] [LG3] repeats, overlaps and gaps', async () => {
    const fixture = await newFixture();
    const { append } = await startedSession(fixture, fixture.editor);
    const { log } = fixture.editor;
    await value(log.append(append(1, 3)));
    expect(await value(log.append(append(1, 3, { knownSeq: 2 })))).toMatchObject({
      seq: 2,
      lastN: 3,
      head: 2,
      rows: [],
    });
    expect(await value(log.append(append(2, 2, { knownSeq: 2 })))).toMatchObject({ seq: 2, lastN: 3, head: 2 });
    expect(await value(log.append(append(2, 5, { knownSeq: 2 })))).toMatchObject({ seq: null, lastN: 3, head: 2 });
    expect(await value(log.append(append(5, 6, { knownSeq: 2 })))).toMatchObject({ seq: null, lastN: 3, head: 2 });
    expect(await value(log.append(append(4, 6, { knownSeq: 2 })))).toMatchObject({ seq: 3, lastN: 6, head: 3 });
  });

  describe('[LG7] more than fits into one answer', () => {
    test('comes 500 rows at a time, each row once', async () => {
      const fixture = await newFixture();
      const writers = await Promise.all(Array.from({ length: 10 }, () => startedSession(fixture, fixture.editor)));
      await Promise.all(
        writers.map(async ({ append }) => {
          for (let n = 1; n <= 51; n++) await value(fixture.editor.log.append(append(n, n, { knownSeq: 1_000 })));
        }),
      );
      const first = await value(fixture.other.log.rowsSince(fixture.document, 0, 10_000));
      expect([first.rows.length, first.more, first.head]).toEqual([500, true, 511]);
      const seqs = (await everyRow(fixture)).map(({ seq }) => seq);
      expect(seqs).toEqual(Array.from({ length: 511 }, (_, at) => at + 1));
      const { append } = await startedSession(fixture, fixture.editor);
      const answer = await value(fixture.editor.log.append(append(1, 1, { knownSeq: 0 })));
      expect([answer.seq, answer.rows.length, answer.more]).toEqual([512, 500, true]);
      const known = await value(fixture.editor.log.append(append(2, 2, { knownSeq: 510 })));
      expect([known.rows.map(({ seq }) => seq), known.more]).toEqual([[511, 512, 513], false]);
      // A caller that claims to know rows from the future still gets a sensible answer.
      const ahead = await value(fixture.editor.log.append(append(3, 3, { knownSeq: 9_999 })));
      expect([ahead.seq, ahead.rows, ahead.more]).toEqual([514, [], false]);
    });

    test('comes 1 MiB at a time, a larger row alone, in every kind of answer', async () => {
      const fixture = await newFixture();
      const { append } = await startedSession(fixture, fixture.editor);
      const large = (fill: number) => new Uint8Array(400 * 1024).fill(fill);
      for (const n of [1, 2, 3])
        await value(fixture.editor.log.append(append(n, n, { update: large(n), knownSeq: n })));
      await value(fixture.editor.log.append(append(4, 4, { update: new Uint8Array(MAX_UPDATE_BYTES), knownSeq: 4 })));
      const opened = await value(fixture.other.log.open(fixture.document, 0));
      expect([opened.rows.map(({ seq }) => seq), opened.more, opened.head]).toEqual([[1, 2, 3], true, 5]);
      const watched = await value(fixture.watchLog.openWatch(fixture.secret, 1));
      expect([watched.rows.map(({ seq }) => seq), watched.more]).toEqual([[2, 3], true]);
      expect((await value(fixture.other.log.rowsSince(fixture.document, 4, 500))).rows.map(({ seq }) => seq)).toEqual([
        5,
      ]);
      expect((await everyRow(fixture, fixture.viewer)).map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5]);
    });
  });

  describe('[LG8] an append without a part of its own', () => {
    const relayFixture = async (fixture: ContractFixture) => {
      const mine = await startedSession(fixture, fixture.editor);
      const theirs = await startedSession(fixture, fixture.other);
      const part = { session: theirs.session, clientId: theirs.clientId, nFrom: 1, nTo: 2, update: bytes(0, 0, 5) };
      const relay = mine.append(0, 0, { update: bytes(), dependencies: [part], knownSeq: 1 });
      return { mine, theirs, part, relay };
    };

    test('stores its dependencies and changes no one’s numbers', async () => {
      const fixture = await newFixture();
      const { mine, theirs, part, relay } = await relayFixture(fixture);
      const answer = await value(fixture.editor.log.append(relay));
      expect(answer).toMatchObject({ seq: 2, lastN: 0, head: 2 });
      expect(answer.rows).toMatchObject([
        { seq: 2, session: mine.session, nFrom: 0, nTo: 0, update: bytes(), dependencies: [part] },
      ]);
      // The author comes back after all and does not know that the row exists already. Their own row counts.
      const own = await value(fixture.other.log.append(theirs.append(1, 2, { knownSeq: 2 })));
      expect(own).toMatchObject({ seq: 3, lastN: 2, head: 3 });
      expect(await value(fixture.editor.log.append(relay))).toMatchObject({ seq: 3, lastN: 0, head: 3 });
      await value(fixture.editor.log.append(mine.append(1, 1)));
    });

    test('is rejected if their author may no longer edit; dependencies of an own edit are stored all the same', async () => {
      const fixture = await newFixture();
      const { mine, part, relay } = await relayFixture(fixture);
      await fixture.setOther('viewer');
      expect(await codeOf(fixture.editor.log.append(relay))).toBe('WF005');
      expect((await value(fixture.editor.log.open(fixture.document, 0))).head).toBe(1);
      const answer = await value(fixture.editor.log.append(mine.append(1, 1, { dependencies: [part], knownSeq: 1 })));
      expect(answer.rows).toMatchObject([{ seq: 2, nTo: 1, dependencies: [part] }]);
    });

    test('is rejected without dependencies, or with dependencies of an unknown session', async () => {
      const fixture = await newFixture();
      const { mine, part, relay } = await relayFixture(fixture);
      expect(await codeOf(fixture.editor.log.append({ ...relay, dependencies: [] }))).toBe('WF005');
      const unknown = { ...part, session: newSession() };
      expect(await codeOf(fixture.editor.log.append({ ...relay, dependencies: [unknown] }))).toBe('WF016');
      expect(await codeOf(fixture.editor.log.append({ ...relay, update: bytes(0, 0) }))).toBe('WF005');
      expect(await codeOf(fixture.editor.log.append(mine.append(0, 1, { dependencies: [part] })))).toBe('WF005');
      expect(await codeOf(fixture.viewer.log.append(relay))).toBe('WF002');
    });
  });

  test('[LG9] a lowered role applies from the very next call, and answers contain the new epoch', async () => {
    const fixture = await newFixture();
    const { document, other, editor } = fixture;
    const roleOf = async (session: Awaited<ReturnType<typeof startedSession>>['session']) =>
      (await value(editor.log.sessionInfo(document, [session]))).map(({ user, role }) => [user, role]);
    const theirs = await startedSession(fixture, other);
    const before = await value(other.log.append(theirs.append(1, 1)));
    expect(await roleOf(theirs.session)).toEqual([[other.user, 'editor']]);
    await fixture.setOther('viewer');
    expect(await codeOf(other.log.append(theirs.append(2, 2)))).toBe('WF002');
    expect(await codeOf(other.log.append(theirs.append(1, 1)))).toBe('WF002');
    expect(await roleOf(theirs.session)).toEqual([[other.user, 'viewer']]);
    const lowered = await value(other.log.rowsSince(document, 0, 500));
    expect([lowered.role, lowered.head]).toEqual(['viewer', 2]);
    expect(lowered.epoch).not.toBe(before.epoch);
    const mine = await startedSession(fixture, editor);
    expect((await value(editor.log.append(mine.append(1, 1)))).epoch).toBe(lowered.epoch);
    await fixture.setOther(null);
    expect(await codeOf(other.log.append(theirs.append(2, 2)))).toBe('WF001');
    expect(await roleOf(theirs.session)).toEqual([[other.user, null]]);
    const gone = await value(editor.log.rowsSince(document, 0, 500));
    expect(gone.epoch).not.toBe(lowered.epoch);
    await fixture.setOther('editor');
    expect(await value(other.log.append(theirs.append(2, 2)))).toMatchObject({ lastN: 2 });
  });

  test('[LG4] known sessions are returned with client id, user, lastN and role, unknown ones are left out', async () => {
    const fixture = await newFixture();
    const mine = await startedSession(fixture, fixture.editor);
    const theirs = await startedSession(fixture, fixture.other);
    await value(fixture.editor.log.append(mine.append(1, 7)));
    const asked = [theirs.session, newSession(), mine.session];
    const infos = await value(fixture.viewer.log.sessionInfo(fixture.document, asked));
    const of = (one: typeof mine, member: Member, lastN: number) => {
      const { session, clientId } = one;
      return { session, clientId, user: member.user, lastN, role: 'editor' };
    };
    expect(infos).toHaveLength(2);
    expect(infos).toContainEqual(of(mine, fixture.editor, 7));
    expect(infos).toContainEqual(of(theirs, fixture.other, 0));
    expect(await value(fixture.viewer.log.sessionInfo(fixture.document, []))).toEqual([]);
  });

  test('[CA5] an announced session is returned without a client id, until it registers, and no one can take its name', async () => {
    const fixture = await newFixture();
    const { document, editor, other, viewer } = fixture;
    const ask = async (session: SessionId) =>
      (await value(other.log.sessionInfo(document, [session]))).map(({ clientId, user }) => [clientId, user]);
    const session = newSession();
    expect(await ask(session)).toEqual([]);
    await value(viewer.log.announce(document, session, true));
    expect(await ask(session)).toEqual([[null, viewer.user]]);
    await value(other.log.announce(document, session, false));
    expect(await ask(session)).toEqual([]);
    const mine = await startedSession(fixture, editor);
    expect(await codeOf(viewer.log.announce(document, mine.session, false))).toBe('WF005');
    await value(editor.log.announce(document, mine.session, false));
    expect(await ask(mine.session)).toEqual([[mine.clientId, editor.user]]);
    expect(await codeOf(fixture.outsider.log.announce(document, newSession(), false))).toBe('WF001');
  });

  test('[LR1] a page counts as busy while an editor announces that they write', async () => {
    const fixture = await newFixture();
    const { document, editor, viewer } = fixture;
    const announce = async (member: Member, isWriting: boolean) =>
      (await value(member.log.announce(document, newSession(), isWriting))).busyPages;
    const before = await announce(editor, false);
    expect(await announce(viewer, true)).toBe(before);
    expect(await announce(editor, true)).toBe(before + 1);
    expect(await announce(editor, true)).toBe(before + 1);
  });

  test('[LG4] a session registers once, with a client id of its own', async () => {
    const fixture = await newFixture();
    const { document } = fixture;
    const { log } = fixture.editor;
    const session = newSession();
    const clientId = newClientId();
    const start = { document, session, clientId, schemaVersion: 1 };
    expect(await value(log.startSession(start))).toEqual({ clientId, lastN: 0 });
    expect(await value(log.startSession(start))).toEqual({ clientId, lastN: 0 });
    expect(await codeOf(log.startSession({ ...start, clientId: newClientId() }))).toBe('WF005');
    expect(await codeOf(fixture.other.log.startSession(start))).toBe('WF005');
    expect(await codeOf(fixture.other.log.startSession({ ...start, session: newSession() }))).toBe('WF006');
    expect(await codeOf(log.startSession({ ...start, session: newSession(), clientId: 1023 }))).toBe('WF006');
    const { append } = await startedSession(fixture, fixture.editor);
    expect(await codeOf(log.append(append(1, 1, { session: newSession() })))).toBe('WF016');
    expect(await codeOf(fixture.other.log.append(append(1, 1)))).toBe('WF005');
    await value(log.append(append(1, 4)));
  });

  test('[LG11] an answer is as large for the second session as for the fiftieth', async () => {
    const fixture = await newFixture();
    const { document, editor, watchLog, secret } = fixture;
    const write = async (knownSeq: number) => {
      const { append } = await startedSession(fixture, editor);
      return jsonOf(await value(editor.log.append(append(1, 1, { knownSeq })))).length;
    };
    const saveSnapshot = async (seq: number) => {
      const state = bytes(seq);
      const sha256 = createHash('sha256').update(state).digest('hex');
      await value(editor.log.claimSnapshot(document));
      await value(editor.log.saveSnapshot(document, { seq, state, sha256 }));
    };
    const answers = async (seq: number) => [
      jsonOf(await value(editor.log.open(document, 0))).length,
      jsonOf(await value(editor.log.open(document, seq))).length,
      jsonOf(await value(editor.log.rowsSince(document, seq, 500))).length,
      jsonOf(await value(watchLog.openWatch(secret, 0))).length,
    ];
    const first = await write(1);
    await saveSnapshot(2);
    const before = await answers(2);
    let last = 0;
    for (let seq = 3; seq <= 51; seq++) last = await write(seq - 1);
    await saveSnapshot(51);
    const after = await answers(51);
    // Numbers of a second digit.
    const grown = [last - first, ...after.map((size, at) => size - (before[at] ?? 0))];
    expect(Math.max(...grown)).toBeLessThan(20);
  });

  test('[LG5] rights', async () => {
    const fixture = await newFixture();
    const { document, viewer, outsider } = fixture;
    const { append } = await startedSession(fixture, fixture.editor);
    const start = { document, session: newSession(), clientId: newClientId(), schemaVersion: 1 };
    expect(await codeOf(viewer.log.open(document, 0))).toBe('ok');
    expect(await codeOf(viewer.log.rowsSince(document, 0, 10))).toBe('ok');
    expect(await codeOf(viewer.log.startSession(start))).toBe('WF002');
    expect(await codeOf(viewer.log.append(append(1, 1)))).toBe('WF002');
    expect(await codeOf(viewer.log.saveText(document, 1, 'T', ''))).toBe('WF002');
    for (const answer of [
      outsider.log.open(document, 0),
      outsider.log.rowsSince(document, 0, 10),
      outsider.log.startSession(start),
      outsider.log.append(append(1, 1)),
      outsider.log.sessionInfo(document, [newSession()]),
      outsider.log.publishPending(document),
      outsider.log.saveText(document, 1, 'T', ''),
    ]) {
      expect(await codeOf(answer)).toBe('WF001');
    }
    await fixture.removeViewer();
    expect(await codeOf(viewer.log.open(document, 0))).toBe('WF001');
  });

  test('[LG2] text copies: an older one changes nothing', async () => {
    const fixture = await newFixture();
    const { append } = await startedSession(fixture, fixture.editor);
    await value(fixture.editor.log.append(append(1, 1)));
    await value(fixture.editor.log.saveText(fixture.document, 2, 'Newer', 'body'));
    await value(fixture.other.log.saveText(fixture.document, 1, 'Older', 'body'));
    const opened = await value(fixture.other.log.open(fixture.document, 2));
    expect(opened).toMatchObject({ textSeq: 2, document: { title: 'Newer' } });
    expect(await codeOf(fixture.editor.log.publishPending(fixture.document))).toBe('ok');
  });

  test('[LG6] watching only needs the secret', async () => {
    const fixture = await newFixture();
    const opened = await value(fixture.watchLog.openWatch(fixture.secret, 0));
    expect(opened).toMatchObject({ head: 1, more: false, snapshot: null, role: 'viewer', schemaVersion: 1 });
    expect(opened.rows.map(({ seq }) => seq)).toEqual([1]);
    expect(opened.topic.startsWith('w:')).toBe(true);
    const wrong = parseLinkSecret('wrongwrongwrongwrong00');
    if (wrong === null) throw new Error('malformed secret');
    expect(await codeOf(fixture.watchLog.openWatch(wrong, 0))).toBe('WF009');
    await fixture.revokeLink();
    expect(await codeOf(fixture.watchLog.openWatch(fixture.secret, 0))).toBe('WF009');
  });
}

/** As large as what the server sent, whatever it is made of. */
const jsonOf = (answer: object): string =>
  JSON.stringify(answer, (_, one: unknown) => (one instanceof Uint8Array ? toHex(one) : one));
