// Erasing words for good: they are in no row, no snapshot and no copy any more, and everything else stays.
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import * as v from 'valibot';
import * as Y from 'yjs';
import { describe, expect, test } from 'vitest';
import { bodyOf } from '../../../src/document/names.ts';
import { findPassage } from '../../../src/document/history/find-passage.ts';
import { sha256 } from '../../../src/lib/sha256.ts';
import { openAnswer } from '../../../src/protocol/log-answers.ts';
import { historyRows } from '../../../src/protocol/history-answers.ts';
import type { Row } from '../../../src/protocol/row.ts';
import { erasedRows } from '../../../src/sync/log/erased-rows.ts';
import { Replica } from '../../../src/sync/state/replica.ts';
import { newDoc } from '../../../src/sync/updates/new-doc.ts';
import type { Caller, Sql } from '../../support/database/sql.ts';
import { anyStep } from '../../support/editor/random-log.ts';
import { useWorkspace } from '../fixture/use-workspace.ts';
import type { WorkspaceFixture } from '../fixture/workspace-fixture.ts';
import { writtenLog } from '../fixture/written-log.ts';

const withWorkspace = useWorkspace();
const eraseAnswer = v.object({ erased: v.boolean() });

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
  sql.ask(by, eraseAnswer, 'erase_text', { id, document, rows: JSON.stringify(rows) });

type Chosen = readonly (readonly [client: number, clock: number, length: number])[];

/** The first place of these words in the page's first block. */
function chosenIn(doc: Y.Doc, words: string): Chosen {
  const block = bodyOf(doc).get(0);
  const text = block instanceof Y.XmlElement ? block.get(0) : null;
  if (!(text instanceof Y.XmlText)) throw new Error('no text');
  const ids: (readonly [number, number, number])[] = [];
  let plain = '';
  for (let item = text._start; item !== null; item = item.right) {
    if (item.deleted || !(item.content instanceof Y.ContentString)) continue;
    for (let at = 0; at < item.length; at++) ids.push([item.id.client, item.id.clock + at, 1]);
    plain += item.content.str;
  }
  const at = plain.indexOf(words);
  if (at < 0) throw new Error(`“${words}” is not in “${plain}”`);
  return ids.slice(at, at + words.length);
}

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
      const { letters } = findPassage(doc, chosenIn(doc, 'er2, é 日本 😀'));
      const before = await sql.ask(people.viewer, openAnswer, 'open_document', { document: page, since: 0 });
      expect(before.erasures).toBe(0);
      const places = await erasedRows(rows, letters, sha256);
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
        await sql.as(
          people.viewer,
          `select seq::int, bytes, erased_by from public.document_erasures where document_id = $1`,
          [page],
        ),
      ).toEqual([{ seq: rows.length, bytes: 19, erased_by: people.manager.id }]);
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
            const places = await erasedRows(rows, letters, sha256);
            expect(await erase(sql, fixture.people.manager, fixture.page, places)).toEqual({ erased: true });
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
      const found = findPassage(doc, chosenIn(first, 'secret'));
      expect(found.copies).toBeGreaterThan(0);
      const places = await erasedRows(rows, found.letters, sha256);
      await erase(sql, fixture.people.manager, fixture.page, places);
      const after = wholeDoc(await logOf(sql, fixture));
      expect(
        findPassage(after, chosenIn(wholeDoc((await logOf(sql, fixture)).slice(0, 1)), 'Here')).copies,
      ).toBeGreaterThan(0);
      const texts = Array.from(after.store.clients.values(), (structs) =>
        structs
          .map((one) => (one instanceof Y.Item && one.content instanceof Y.ContentString ? one.content.str : ''))
          .join(''),
      );
      for (const text of texts) expect(text).not.toContain('secret');
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
      const places = await erasedRows(rows, findPassage(doc, chosenIn(doc, 'H')).letters, sha256);
      const [place] = places;
      expect(await erase(sql, people.manager, page, [place, { ...place, sha256: 'x' }])).toEqual({ erased: false });
      expect(await erase(sql, people.manager, page, [{ ...place, seq: 1000 }])).toEqual({ erased: false });
      expect(await logOf(sql, fixture)).toEqual(rows);
      const id = randomUUID();
      expect(await erase(sql, people.manager, page, places, id)).toEqual({ erased: true });
      expect(await erase(sql, people.manager, page, places, id)).toEqual({ erased: true });
      expect(await erase(sql, people.manager, page, places)).toEqual({ erased: false });
      const { count } = await sql.row('select count(*)::int as count from public.document_erasures');
      expect(count).toBe(1);
    }),
  );

  test(
    'overwrites texts alone, never what is around them',
    withWorkspace(async (sql, fixture) => {
      await writtenLog(sql, fixture, []);
      const { page, people } = fixture;
      const rows = await logOf(sql, fixture);
      const doc = wholeDoc(rows);
      const [place] = await erasedRows(rows, findPassage(doc, chosenIn(doc, 'ere')).letters, sha256);
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
