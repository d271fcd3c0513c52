// Erasing words for good: they are in no row, no snapshot and no copy any more, and everything else stays.
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import * as v from 'valibot';
import * as Y from 'yjs';
import { describe, expect, test } from 'vitest';
import { bodyOf } from '../../../src/document/names.ts';
import { createdLink } from '../../../src/protocol/answers.ts';
import { appendAnswer, openAnswer, rowsAnswer, watchAnswer } from '../../../src/protocol/log-answers.ts';
import { historyRows } from '../../../src/protocol/history-answers.ts';
import type { Row } from '../../../src/protocol/row.ts';
import { Replica } from '../../../src/sync/state/replica.ts';
import { textPlaces } from '../../../src/sync/updates/text-places.ts';
import { newDoc } from '../../../src/sync/updates/new-doc.ts';
import type { Caller, Sql } from '../../support/database/sql.ts';
import { chosenIn, erasedRows, passageIn } from '../../support/editor/erased-letters.ts';
import { anyBlocks } from '../../support/editor/any-blocks.ts';
import { anyStep, writeLog } from '../../support/editor/random-log.ts';
import { useWorkspace } from '../fixture/use-workspace.ts';
import { type WorkspaceFixture, appendArgs, startSession } from '../fixture/workspace-fixture.ts';
import { writtenLog } from '../fixture/written-log.ts';

const withWorkspace = useWorkspace();
const eraseAnswer = v.object({ erased: v.boolean(), head: v.number() });

function wholeDoc(rows: readonly Row[]): Y.Doc {
  const doc = newDoc(0);
  doc.gc = false;
  const replica = new Replica(doc, null);
  replica.take(rows);
  expect(replica.damaged).toEqual([]);
  return doc;
}

/** Every letter that was ever there, by its id. */
function lettersOf(doc: Y.Doc): Map<string, string> {
  const letters = new Map<string, string>();
  for (const [client, structs] of doc.store.clients)
    for (const struct of structs)
      if (struct instanceof Y.Item && struct.content instanceof Y.ContentString)
        for (let at = 0; at < struct.length; at++)
          letters.set(`${client}.${struct.id.clock + at}`, struct.content.str.charAt(at));
  return letters;
}

const logOf = async (sql: Sql, { page, people }: WorkspaceFixture): Promise<readonly Row[]> =>
  (await sql.ask(people.viewer, historyRows, 'history_rows', { document: page, after: 0, row_version: 3 })).rows;

const erase = (sql: Sql, by: Caller, document: string, rows: unknown, id = randomUUID()) =>
  sql.ask(by, eraseAnswer, 'erase_text', { id, document, rows: JSON.stringify(rows), title: 'Plan' });

describe('erased words', () => {
  test(
    'are gone from rows, snapshots, the text copy and the inbox, and the log says who erased when',
    withWorkspace(async (sql, fixture) => {
      const begin = 'The password is hunter2, é 日本 😀!';
      await writtenLog(sql, fixture, [], begin);
      const { page, people } = fixture;
      await sql.rows(
        `insert into public.document_snapshots (document_id, seq, state, sha256) values ($1, 3, 'hunter2', 'x')`,
        [page],
      );
      await sql.rows(`update public.documents set body_text = $2 where id = $1`, [page, begin]);
      await sql.rows(
        `insert into weft.notifications (user_id, kind, document_id, subject, detail)
         values ($2, 'mention', $1, 'b', '{"block": "b", "excerpt": "is hunter2, "}')`,
        [page, people.editor.id],
      );
      const rows = await logOf(sql, fixture);
      const doc = wholeDoc(rows);
      const { withCopies: letters } = passageIn(rows, chosenIn(doc, 'er2, é 日本 😀'));
      const before = await sql.ask(people.viewer, openAnswer, 'open_document', { document: page, since: 0 });
      expect(before.erasures).toBe(0);
      const places = await erasedRows(rows, letters);
      const sent = await sql.sentDuring(() => erase(sql, people.manager, page, places));
      expect(sent.map(({ event, topic }) => [event, topic.slice(0, 2)])).toEqual(
        expect.arrayContaining([
          ['moved', 'd:'],
          ['moved', 'v:'],
        ]),
      );
      const left = await logOf(sql, fixture);
      const after = wholeDoc(left);
      const block = bodyOf(after).get(0);
      expect(block.toString()).toContain('The password is hunt*****·*██*🟦!');
      // Nothing else moved by a byte.
      expect(left.map(({ seq, nFrom, nTo, session, at }) => [seq, nFrom, nTo, session, at])).toEqual(
        rows.map(({ seq, nFrom, nTo, session, at }) => [seq, nFrom, nTo, session, at]),
      );
      expect(left.map(({ update }) => update.length)).toEqual(rows.map(({ update }) => update.length));
      const opened = await sql.ask(people.viewer, openAnswer, 'open_document', { document: page, since: 0 });
      expect([opened.snapshot, opened.erasures, opened.epoch === before.epoch]).toEqual([null, 1, false]);
      expect(opened.textSeq).toBeLessThan(opened.head);
      const { copies } = await sql.row<{ copies: string }>(
        `select concat(
           (select body_text from public.documents where id = $1),
           (select string_agg(detail::text, '') from weft.notifications where document_id = $1),
           (select string_agg(encode(update, 'escape') || coalesce(encode(dependencies, 'escape'), ''), '')
            from public.document_updates where document_id = $1)
         ) as copies`,
        [page],
      );
      expect(copies).not.toContain('hunter2');
      expect(copies).not.toContain('er2');
      expect(
        await sql.as(people.viewer, `select seq::int, erased_by from public.document_erasures where document_id = $1`, [
          page,
        ]),
      ).toEqual([{ seq: rows.length, erased_by: people.manager.id }]);
    }),
  );

  test(
    'leave every other letter, its author and its place, whatever the log',
    withWorkspace(async (sql, fixture) => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(anyStep, { maxLength: 25 }),
          fc.nat(),
          fc.integer({ min: 1, max: 6 }),
          async (steps, at, length) => {
            await sql.rows('savepoint log');
            await writtenLog(
              sql,
              fixture,
              steps.map((step) => ({ ...step, person: step.person % 2 })),
              'Two 日本 words',
            );
            const rows = await logOf(sql, fixture);
            const before = lettersOf(wholeDoc(rows));
            const ids = Array.from(before.keys());
            const chosen = ids.slice(at % ids.length, (at % ids.length) + length);
            const letters = new Map<number, [number, number][]>();
            for (const id of chosen) {
              const [client = 0, clock = 0] = id.split('.').map(Number);
              letters.set(client, [...(letters.get(client) ?? []), [clock, clock + 1]]);
            }
            const places = await erasedRows(rows, letters);
            expect(await erase(sql, fixture.people.manager, fixture.page, places)).toEqual({
              erased: true,
              head: rows.length,
            });
            const after = lettersOf(wholeDoc(await logOf(sql, fixture)));
            expect(Array.from(after.keys())).toEqual(ids);
            for (const [id, letter] of after)
              expect(letter).toBe(chosen.includes(id) ? letter.replace(/[^*·█]/u, '?') : before.get(id));
            await sql.rows('rollback to savepoint log');
          },
        ),
        { numRuns: 40 },
      );
    }),
  );

  test(
    'are found where they were pasted again, deleted, moved, or typed letter by letter',
    withWorkspace(async (sql, fixture) => {
      const step = { at: 0, to: 0, sends: true, receives: true };
      const typed = Array.from('secret', (text, at) => ({ ...step, person: 0, what: 5, at: 5 + at, text }));
      await writtenLog(
        sql,
        fixture,
        [
          ...typed,
          // Bob moves the block, which copies its letters; then all of it is deleted.
          { ...step, person: 1, what: 1, text: '' },
          { ...step, person: 1, what: 0, text: '' },
        ],
        'Here is it: secret',
      );
      const rows = await logOf(sql, fixture);
      const doc = wholeDoc(rows);
      const typedIds = Array.from(lettersOf(doc)).filter(([, letter]) => 'secret'.includes(letter));
      expect(typedIds.length).toBeGreaterThan(12);
      const first = wholeDoc(rows.slice(0, 1));
      const found = passageIn(rows, chosenIn(first, 'secret'));
      // All of them are the same letters, moved.
      expect(found.copies).toBe(0);
      const places = await erasedRows(rows, found.withCopies);
      await erase(sql, fixture.people.manager, fixture.page, places);
      const after = wholeDoc(await logOf(sql, fixture));
      const texts = Array.from(after.store.clients.values(), (structs) =>
        structs
          .map((one) => (one instanceof Y.Item && one.content instanceof Y.ContentString ? one.content.str : ''))
          .join(''),
      );
      for (const text of texts) expect(text).not.toContain('secret');
    }),
  );
});

describe('after an erasure', () => {
  const erasedPage = async (sql: Sql, fixture: WorkspaceFixture) => {
    await writtenLog(sql, fixture, [], 'hunter2');
    const rows = await logOf(sql, fixture);
    const places = await erasedRows(rows, passageIn(rows, chosenIn(wholeDoc(rows), 'hunter2')).withCopies);
    await sql.rows(
      `update public.document_heads set watched_until = now() + interval '1 minute' where document_id = $1`,
      [fixture.page],
    );
    return () => erase(sql, fixture.people.manager, fixture.page, places);
  };

  test(
    'nothing is appended or copied by a tab that does not know of it',
    withWorkspace(async (sql, fixture) => {
      const { page, people } = fixture;
      const { session } = await startSession(sql, people.editor, page);
      const eraseNow = await erasedPage(sql, fixture);
      const started = await startSession(sql, people.editor, page);
      expect(session).not.toBe(started.session);
      const args = appendArgs({ document: page, session: started.session, nFrom: 1, nTo: 2 });
      const copy = { document: page, seq: 1, title: 'T', body_text: 'hunter2' };
      await eraseNow();
      expect(await sql.outcome(() => sql.call(people.editor, 'append_update', args))).toBe('55000');
      expect(await sql.outcome(() => sql.call(people.editor, 'save_text', copy))).toBe('WF005');
      const appended = await sql.ask(people.editor, appendAnswer, 'append_update', { ...args, erasures: 1 });
      expect(appended).toMatchObject({ lastN: 2, erasures: 1 });
      expect(appended.seq).not.toBeNull();
      expect(await sql.outcome(() => sql.call(people.editor, 'save_text', { ...copy, erasures: 1 }))).toBe('ok');
      // A repeated call with newer edits brings only those that the log lacks.
      const overlap = { ...args, n_from: 2, n_to: 3, erasures: 1 };
      expect(await sql.ask(people.editor, appendAnswer, 'append_update', overlap)).toMatchObject({
        seq: null,
        lastN: 2,
      });
      expect(await sql.ask(people.editor, appendAnswer, 'append_update', { ...overlap, n_to: 2 })).toMatchObject({
        seq: appended.seq,
      });
      expect(await sql.ask(people.editor, appendAnswer, 'append_update', { ...overlap, n_from: 3 })).toMatchObject({
        seq: (appended.seq ?? 0) + 1,
        lastN: 3,
      });
    }),
  );

  test(
    'watchers by link are told, and every answer says it',
    withWorkspace(async (sql, fixture) => {
      const { page, people } = fixture;
      const eraseNow = await erasedPage(sql, fixture);
      const { secret } = await sql.ask(people.manager, createdLink, 'create_share_link', {
        document: page,
        role: 'viewer',
        expires_at: null,
      });
      const { topic } = await sql.ask('anon', watchAnswer, 'open_watch', { secret, since: 0 });
      const sent = await sql.sentDuring(eraseNow);
      expect(sent.map((message) => [message.event, message.topic])).toContainEqual(['erased', topic]);
      expect(await sql.ask('anon', watchAnswer, 'open_watch', { secret, since: 0 })).toMatchObject({ erasures: 1 });
      expect(
        await sql.ask(people.viewer, rowsAnswer, 'rows_since', { document: page, seq: 0, row_limit: 1 }),
      ).toMatchObject({ erasures: 1 });
      expect(await sql.ask(people.viewer, rowsAnswer, 'keep_watching', { document: page, seq: 0 })).toMatchObject({
        erasures: 1,
      });
    }),
  );
});

describe('erasing', () => {
  test(
    'is repeatable, and changes nothing if a row is another one by now',
    withWorkspace(async (sql, fixture) => {
      await writtenLog(sql, fixture);
      const { page, people } = fixture;
      const rows = await logOf(sql, fixture);
      const doc = wholeDoc(rows);
      const places = await erasedRows(rows, passageIn(rows, chosenIn(doc, 'H')).withCopies);
      const [place] = places;
      expect(await erase(sql, people.manager, page, [place, { ...place, sha256: 'x' }])).toEqual({
        erased: false,
        head: rows.length,
      });
      expect(await erase(sql, people.manager, page, [{ ...place, seq: 1000 }])).toEqual({
        erased: false,
        head: rows.length,
      });
      expect(await logOf(sql, fixture)).toEqual(rows);
      const id = randomUUID();
      expect(await erase(sql, people.manager, page, places, id)).toEqual({ erased: true, head: rows.length });
      expect(await erase(sql, people.manager, page, places, id)).toEqual({ erased: true, head: rows.length });
      expect(await erase(sql, people.manager, page, places)).toEqual({ erased: false, head: rows.length });
      const { count } = await sql.row('select count(*)::int as count from public.document_erasures');
      expect(count).toBe(1);
    }),
  );

  test(
    'takes any number of places in a row',
    withWorkspace(async (sql, fixture) => {
      const { page, people } = fixture;
      const written = await writtenLog(sql, fixture, [], 'pass= '.repeat(2_500));
      const rows = await logOf(sql, fixture);
      const places = await erasedRows(rows, passageIn(rows, chosenIn(wholeDoc(rows), 'pass=')).withCopies);
      expect(places.map(({ update }) => update.length)).toEqual([2_500]);
      const answer = await erase(sql, people.manager, page, places);
      expect(answer).toEqual({ erased: true, head: written.length });
      expect(bodyOf(wholeDoc(await logOf(sql, fixture))).toString()).toContain('***** '.repeat(2_500).trimEnd());
    }),
  );

  test(
    'gives the title the same signs, and says how far the log was',
    withWorkspace(async (sql, fixture) => {
      const { page, people } = fixture;
      const written = await writtenLog(sql, fixture, [], 'It is hunter2 now');
      await sql.rows(`update public.documents set title = 'hunter2' where id = $1`, [page]);
      const rows = await logOf(sql, fixture);
      const places = await erasedRows(rows, passageIn(rows, chosenIn(wholeDoc(rows), 'hunter2')).withCopies);
      const id = randomUUID();
      const args = { id, document: page, rows: JSON.stringify(places), title: '*******' };
      const outcome = (change: object) =>
        sql.outcome(() => sql.call(people.manager, 'erase_text', { ...args, ...change }));
      for (const title of [null, 'x'.repeat(201)]) expect(await outcome({ title })).toBe('22023');
      for (const malformed of ['', '{', '"x"']) expect(await outcome({ rows: malformed })).toMatch(/^22/);
      expect(await sql.ask(people.manager, eraseAnswer, 'erase_text', args)).toEqual({
        erased: true,
        head: written.length,
      });
      expect(await sql.row('select title, body_text from public.documents where id = $1', [page])).toEqual({
        title: '*******',
        body_text: '',
      });
    }),
  );

  test(
    'overwrites texts alone, never what is around them',
    withWorkspace(async (sql, fixture) => {
      await writtenLog(sql, fixture, []);
      const { page, people } = fixture;
      const rows = await logOf(sql, fixture);
      const doc = wholeDoc(rows);
      const [place] = await erasedRows(rows, passageIn(rows, chosenIn(doc, 'ere')).withCopies);
      if (place === undefined) throw new Error('no place');
      const [start = 0, size = 0, first = 0, last = 0] = place.update[0] ?? [];
      const outcome = (...update: unknown[]) =>
        sql.outcome(() => erase(sql, people.manager, page, [{ ...place, update: [update] }]));
      expect(await outcome(start, size, first, last)).toBe('ok');
      for (const wrong of [
        [start - 1, size, first, last],
        [start, size - 1, first, last - 1],
        [start, size + 1, first, last],
        [start, size, -1, last],
        [start, size, first, last + 1],
        [start, size, last, first],
        [start, size, first, first],
        [0, 1, 0, 1],
        [-5, 5, 0, 5],
        [1_000_000, 5, 0, 5],
        [start, 2_000_000_000, 0, 5],
        [null, size, first, last],
        [],
      ])
        expect([wrong, await outcome(...wrong)]).toEqual([wrong, 'WF005']);
      // At each byte that could be the size of a text of as many bytes behind it: counts, names, ids, attributes.
      const { update } = rows[0] ?? {};
      if (update === undefined) throw new Error('no row');
      const texts = textPlaces(update, new Map([[2000, [[0, 1_000_000]]]])) ?? [];
      let nearMisses = 0;
      for (let at = 1; at < update.length; at++) {
        const length = update[at - 1] ?? 0;
        if (texts.some(([one, bytes]) => one === at && bytes === length)) continue;
        if (length < 1 || at + length > update.length) continue;
        const text = new TextDecoder().decode(update.subarray(at, at + length));
        if (text.includes('\uFFFD') || text.includes('\0')) continue;
        nearMisses += 1;
        expect([at, length, text, await outcome(at, length, 0, length)]).toEqual([at, length, text, 'WF005']);
      }
      expect(nearMisses).toBeGreaterThan(10);
      expect(await outcome('x', size, first, last)).toBe('22P02');
      for (const malformed of [null, [], {}, 'x', 5])
        expect(await sql.outcome(() => erase(sql, people.manager, page, malformed))).toBe('22023');
      expect(
        await sql.outcome(() =>
          erase(
            sql,
            people.manager,
            page,
            Array.from({ length: 20_001 }, () => place),
          ),
        ),
      ).toBe('22023');
    }),
  );
});

describe('the texts of an update', () => {
  const textsOf = async (sql: Sql, update: Uint8Array) =>
    (
      await sql.rows<{ start: number; size: number }>(
        'select t.start, t.size from weft.texts_in_update($1::bytea, 0, octet_length($1::bytea), 2147483647) as t',
        [Buffer.from(update)],
      )
    )
      .map(({ start, size }) => [start, size] as const)
      .filter(([start, size]) => !/^[*·█🟦]+$/u.test(new TextDecoder().decode(update.subarray(start, start + size))));
  /** The texts as Yjs reads them. Neither list has texts that were erased. Null for bytes that are no update. */
  const byYjs = (update: Uint8Array) => {
    const bytes = new Uint8Array(update);
    if (textPlaces(bytes, new Map()) === null) return null;
    const clients = Array.from(Y.parseUpdateMeta(bytes).to.keys());
    const all = new Map(clients.map((client) => [client, [[0, Number.MAX_SAFE_INTEGER]]] as const));
    return textPlaces(bytes, all)?.map(([start, size]) => [start, size] as const) ?? null;
  };

  test(
    'are those that Yjs reads, whatever the log',
    withWorkspace(async (sql) => {
      await fc.assert(
        fc.asyncProperty(anyBlocks, fc.array(anyStep, { maxLength: 25 }), async (blocks, steps) => {
          for (const { update } of writeLog(blocks, steps)) expect(await textsOf(sql, update)).toEqual(byYjs(update));
        }),
        { numRuns: 40 },
      );
    }),
  );

  test(
    'are found behind everything else that Yjs writes',
    withWorkspace(async (sql) => {
      const doc = new Y.Doc();
      doc.clientID = 5;
      const values = [1, -1, 2 ** 40, -(2 ** 40), 1.5, 2 ** 60, true, false, null, undefined, '日本', 10n];
      const nested = { list: [...values, [[], {}, [values]]], map: { a: { b: {} } }, bytes: Uint8Array.of(4, 1, 65) };
      const map = doc.getMap('map');
      map.set('any', nested);
      map.set('type', new Y.Map([['inner', new Y.Array()]]));
      map.set('any', 'replaced');
      const array = doc.getArray('array');
      array.push([nested, ...values.slice(0, 8), Uint8Array.of(1, 65, 66), new Y.XmlHook('hook')]);
      array.delete(1, 2);
      const body = doc.getXmlFragment('body');
      const text = new Y.XmlText();
      const element = new Y.XmlElement('x'.repeat(200));
      element.insert(0, [text]);
      body.insert(0, [element]);
      text.insert(0, 'é'.repeat(200), { bold: { on: true } });
      text.insertEmbed(3, { picture: 'swan' });
      text.insert(1, 'abc');
      text.delete(0, 2);
      doc.getText('title').insert(0, 'A title 😀');
      const update = Y.encodeStateAsUpdate(doc);
      const found = byYjs(update);
      expect(found).toHaveLength(4);
      expect(await textsOf(sql, update)).toEqual(found);
      // An update that is cut, or has another byte somewhere, is read to its end or not at all.
      for (let at = 0; at < update.length; at++) {
        await textsOf(sql, update.subarray(0, at));
        for (const byte of [0, 127, 255]) {
          const other = update.slice();
          other[at] = byte;
          const read = byYjs(other);
          if (read === null) continue;
          expect([at, byte, await textsOf(sql, other)]).toEqual([at, byte, read]);
        }
      }
    }),
  );

  test(
    'are found in a row of a megabyte in less than a call may take',
    withWorkspace(async (sql, fixture) => {
      const { page, people } = fixture;
      const doc = new Y.Doc();
      doc.clientID = 2000;
      const text = new Y.XmlText();
      const block = new Y.XmlElement('block');
      block.insert(0, [text]);
      bodyOf(doc).insert(0, [block]);
      doc.transact(() => {
        for (let at = 0; at < 40_000; at++) text.insert(text.length >> 1, 'ab');
      });
      const update = Y.encodeStateAsUpdate(doc);
      const [row] = await writtenLog(sql, fixture, []);
      if (row === undefined) throw new Error('no row');
      await sql.rows('update public.document_updates set update = $2 where document_id = $1', [
        page,
        Buffer.from(update),
      ]);
      const places = await erasedRows(await logOf(sql, fixture), new Map([[2000, [[0, 100_000]]]]));
      expect(places[0]?.update.length).toBeGreaterThan(40_000);
      expect(await erase(sql, people.manager, page, places)).toMatchObject({ erased: true });
    }),
  );
});
