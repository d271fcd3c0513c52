// Restoring an earlier state from the history: the page, one block, and the page without one person's edits.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { plainRun, textBlock } from 'weft-document/blocks/detached-block.ts';
import { bodyText } from 'weft-document/body/body-text.ts';
import { elementsOfBlocks, fillPage } from 'weft-document/body/fill-page.ts';
import { parseBody } from 'weft-document/body/parse-body.ts';
import { type PageFile, fileOfPage } from 'weft-document/formats/page-json.ts';
import { restorationsOf } from 'weft-document/history/restorations.ts';
import { bodyOf } from 'weft-document/names.ts';
import type { Row } from 'weft-sync/protocol/row.ts';
import { Replica } from 'weft-sync/state/replica.ts';
import { newDoc } from 'weft-sync/updates/new-doc.ts';
import * as Y from 'yjs';
import { newAnswerer } from '../../../src/sessions/history/answer-question.ts';
import { PageLog } from '../../../src/sessions/history/page-log.ts';
import { anyBlocks } from '../../support/editor/any-blocks.ts';
import { Writer, anyStep, sessionOf, writeLog } from '../../support/editor/random-log.ts';
import { repeatedly, timesAsLong } from '../../support/times-as-long.ts';

function logOf(rows: readonly Row[]): PageLog {
  const log = new PageLog();
  log.take(rows);
  return log;
}

const restoreBlock = (doc: Y.Doc, file: PageFile, id: string | null | undefined) =>
  restorationsOf(doc).restore(file, { type: 'block', id: id ?? '' });

function docOf(rows: readonly Row[]): Y.Doc {
  const doc = newDoc();
  new Replica(doc, null).take(rows);
  return doc;
}

/** Title and nodes. Loose content, which no app writes, is not restored. Yjs may cut a text anywhere. */
function contentOf({ title, body }: PageFile): unknown {
  const joined = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(joined);
    if (typeof value !== 'object' || value === null) return value;
    if (!('text' in value) || !Array.isArray(value.text))
      return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, joined(one)]));
    const runs: { insert: unknown; attributes: string }[] = [];
    for (const piece of value.text as { insert: unknown; attributes?: object }[]) {
      if (piece.insert === '') continue;
      const attributes = JSON.stringify(
        Object.entries(piece.attributes ?? {}).toSorted(([a], [b]) => (a < b ? -1 : 1)),
      );
      const last = runs.at(-1);
      if (last?.attributes === attributes && typeof last.insert === 'string' && typeof piece.insert === 'string')
        last.insert += piece.insert;
      else runs.push({ insert: piece.insert, attributes });
    }
    return { text: runs };
  };
  return [title, joined(body.filter((node) => 'node' in node))];
}

describe('restoring a page', () => {
  test('makes it what it was at any row, and undo takes that back', () => {
    fc.assert(
      fc.property(anyBlocks, fc.array(anyStep, { maxLength: 20 }), fc.nat(), (blocks, steps, at) => {
        const rows = writeLog(blocks, steps);
        const log = logOf(rows);
        const seq = 1 + (at % rows.length);
        const file = log.history.file(log.limitOf(seq) ?? 0);
        const doc = docOf(rows);
        const before = contentOf(fileOfPage(doc, null));
        const isChanged = restorationsOf(doc).page(file);
        expect(contentOf(fileOfPage(doc, null))).toEqual(contentOf(fileOfPage(docOf(rows.slice(0, seq)), null)));
        expect(restorationsOf(doc).undo()).toBe(isChanged);
        expect(contentOf(fileOfPage(doc, null))).toEqual(before);
      }),
      { numRuns: 150 },
    );
  });

  test('keeps what someone writes at the same time', () => {
    const { rows, alice, bob } = twoPeople('One two three.', 'Four.');
    textAt(alice.doc, 0).delete(4, 4);
    alice.send(rows);
    bob.receive(rows);
    const log = logOf(rows);
    textAt(bob.doc, 1).insert(5, ' Five.');
    restorationsOf(alice.doc).page(log.history.file(log.limitOf(1) ?? 0));
    bob.send(rows);
    alice.send(rows);
    for (const person of [alice, bob]) {
      person.receive(rows);
      expect(bodyText(person.doc)).toBe('One two three.\nFour. Five.');
    }
  });

  test('makes it what it was at any row, beside everything that another person writes at the same time', () => {
    fc.assert(
      fc.property(
        anyBlocks,
        fc.array(anyStep, { maxLength: 20 }),
        fc.nat(),
        fc.array(fc.record({ at: fc.nat(), offset: fc.nat(), isBlock: fc.boolean() }), { minLength: 1, maxLength: 6 }),
        (blocks, steps, at, writings) => {
          const rows = writeLog(blocks, steps);
          const log = logOf(rows);
          const seq = 1 + (at % rows.length);
          const [alice, bob] = [docOf(rows), docOf(rows)];
          const before = Y.encodeStateVector(bob);
          const texts = new Map<string, Y.XmlText>();
          const written: string[] = [];
          for (const { at: place, offset, isBlock } of writings) {
            const body = bodyOf(bob);
            const block = body.length === 0 ? null : body.get(place % body.length);
            const text = block instanceof Y.XmlElement ? block.get(0) : null;
            if (isBlock || !(text instanceof Y.XmlText)) {
              const [own] = elementsOfBlocks([textBlock({}, [plainRun(OWN)])]);
              if (own === undefined) continue;
              body.insert(place % (body.length + 1), [own]);
              written.push(OWN);
            } else if (text.toJSON().trim() !== OWN) {
              const character = String.fromCharCode(FIRST_CHARACTER + texts.size);
              text.insert(wholeOffset(text, offset % (text.length + 1)), character);
              texts.set(character, text);
            }
          }
          restorationsOf(alice).page(log.history.file(log.limitOf(seq) ?? 0));
          Y.applyUpdate(alice, Y.encodeStateAsUpdate(bob, before));
          Y.applyUpdate(bob, Y.encodeStateAsUpdate(alice));
          expect(fileOfPage(alice, null)).toEqual(fileOfPage(bob, null));
          const all = JSON.stringify(fileOfPage(alice, null));
          expect(all.split(`"${OWN}"`).length - 1).toBe(written.length);
          // Characters in a block that was not there at that row go with it.
          for (const [character, { _item: item }] of texts)
            expect(all.includes(character)).toBe(item?.deleted === false);
          expect(contentOf(withoutWritten(fileOfPage(alice, null)))).toEqual(
            contentOf(fileOfPage(docOf(rows.slice(0, seq)), null)),
          );
        },
      ),
      { numRuns: 150 },
    );
  });

  test('brings one block back and leaves the others', () => {
    const { rows, alice } = twoPeople('One.', 'Two.', 'Three.');
    const log = logOf(rows);
    const [, second] = log.history.blocks(log.limitOf(1) ?? 0);
    bodyOf(alice.doc).delete(1, 1);
    textAt(alice.doc, 0).insert(0, 'Now: ');
    const file = log.history.file(log.limitOf(1) ?? 0);
    const expected = (id = '') => restorationsOf(alice.doc).wouldRestore(file, { type: 'block', id });
    expect(expected(second?.id ?? '')).toBe('changed');
    expect(restoreBlock(alice.doc, file, second?.id)).toBe('changed');
    expect(bodyText(alice.doc)).toBe('Now: One.\nTwo.\nThree.');
    // A second restore finds nothing to do, so no version of the present page is needed.
    expect(expected(second?.id ?? '')).toBe('stands');
    expect(restorationsOf(alice.doc).wouldRestore(file, { type: 'page' })).toBe('changed');
    expect(bodyText(alice.doc)).toBe('Now: One.\nTwo.\nThree.');
    expect(restoreBlock(alice.doc, log.history.file(log.limitOf(1) ?? 0), 'nowhere')).toBe('stands');
  });
});

describe('undoing everything by one person', () => {
  test('takes what their app passed on as another’s, and spares the other', () => {
    const { rows, alice, bob } = twoPeople('The boat leaves at nine.');
    textAt(alice.doc, 0).insert(0, 'NO! ');
    alice.send(rows);
    const forged = rows.pop();
    if (forged === undefined) throw new Error('no row');
    rows.push(bob.relay(forged));
    const ask = newAnswerer();
    ask({ kind: 'rows', rows });
    const textWithout = (person: number) =>
      JSON.stringify(ask({ kind: 'without', sessions: [sessionOf(person)], since: 1, known: rows.length }));
    expect(textWithout(1)).not.toContain('NO!');
    expect(textWithout(0)).toContain('NO!');
  });

  test('removes what they inserted, brings back what they removed, and keeps what others wrote', () => {
    const { rows, alice, bob } = twoPeople('The boat leaves at nine.', 'Bring soup.');
    textAt(bob.doc, 0).insert(0, 'NO! ');
    bodyOf(bob.doc).delete(1, 1);
    bob.send(rows);
    alice.receive(rows);
    textAt(alice.doc, 0).insert(textAt(alice.doc, 0).length, ' On time.');
    alice.send(rows);
    bob.receive(rows);
    bodyOf(bob.doc).insert(0, Array.from(elementsOfBlocks([textBlock({}, [plainRun('Spam spam.')])])));
    bob.send(rows);
    alice.receive(rows);
    const log = logOf(rows);
    const { file, blocks } = log.history.without(by(log, 1, 1));
    restorationsOf(alice.doc).page(file);
    expect(bodyText(alice.doc)).toBe('The boat leaves at nine. On time.\nBring soup.');
    expect(parseBody(alice.doc).map(({ id }) => id)).toEqual(blocks.map(({ id }) => id));
    expect(restorationsOf(alice.doc).undo()).toBe(true);
    expect(bodyText(alice.doc)).toBe('Spam spam.\nNO! The boat leaves at nine. On time.');
  });

  test('leaves what they did before, and all of it if nothing came later', () => {
    const { rows, bob } = twoPeople('One.');
    textAt(bob.doc, 0).insert(4, ' Two.');
    bob.send(rows);
    textAt(bob.doc, 0).insert(9, ' Three.');
    bob.send(rows);
    const log = logOf(rows);
    const textSince = (since: number) => textIn(log.history.without(by(log, 1, since)).file);
    expect([1, 2, 3].map(textSince)).toEqual(['One.', 'One. Two.', 'One. Two. Three.']);
  });

  test('2,000 blocks that they removed, and as many new ones, take as long as ten times 200', async () => {
    const undone = (length: number) => {
      const { rows, alice, bob } = twoPeople(...Array.from({ length }, (_line, at) => `Line ${at}`));
      bodyOf(bob.doc).delete(0, length);
      bob.send(rows);
      alice.receive(rows);
      const others = Array.from({ length }, (_line, at) => textBlock({}, [plainRun(`Other ${at}`)]));
      bodyOf(alice.doc).insert(0, Array.from(elementsOfBlocks(others)));
      alice.send(rows);
      const log = logOf(rows);
      return () => log.history.without(by(log, 1, 1)).blocks.length;
    };
    expect(undone(200)()).toBe(400);
    expect(await timesAsLong(undone(2_000), repeatedly(10, undone(200)), 2)).toBeLessThan(4);
  });

  test('keeps a block that they moved and others wrote in since, with its characters, once', () => {
    const { rows, alice, bob } = twoPeople('First line of the plan.', 'Second line.');
    const moved = bodyOf(bob.doc).get(0);
    if (!(moved instanceof Y.XmlElement)) throw new Error('no block');
    const copy = moved.clone();
    bob.doc.transact(() => {
      bodyOf(bob.doc).delete(0, 1);
      bodyOf(bob.doc).insert(1, [copy]);
    });
    bob.send(rows);
    alice.receive(rows);
    textAt(alice.doc, 1).insert(23, ' Mine.');
    alice.send(rows);
    const log = logOf(rows);
    expect(textIn(log.history.without(by(log, 1, 1)).file)).toBe('Second line.\nFirst line of the plan. Mine.');
  });

  test('brings back nothing that others brought back before: everything is there once', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 5 }),
        fc.array(anyVandalism, { minLength: 1, maxLength: 8 }),
        // Only one of the two: pasting and restoring together would put a line there twice.
        fc.boolean(),
        fc.array(fc.record({ isPage: fc.boolean(), at: fc.nat(), after: fc.nat(8) }), { minLength: 1, maxLength: 4 }),
        (count, vandalism, pastes, restoring) => {
          const lines = Array.from({ length: count }, (_, at) => `${at} ${WORDS.slice(at, at + 4).join(' ')}`);
          const { rows, alice, bob } = twoPeople(...lines);
          const earlier = logOf(rows).history.file(1);
          const ids = parseBody(alice.doc).map(({ id }) => id ?? '');
          for (const [at, step] of vandalism.entries()) {
            vandalize(bob.doc, step);
            bob.send(rows);
            for (const { isPage, at: place } of restoring.filter(({ after }) => after === at)) {
              alice.receive(rows);
              if (pastes) pasteMissing(alice.doc, lines);
              else if (isPage) restorationsOf(alice.doc).page(earlier);
              else if (!bodyText(alice.doc).includes(lines[place % ids.length] ?? ''))
                restoreBlock(alice.doc, earlier, ids[place % ids.length]);
              alice.send(rows);
              bob.receive(rows);
            }
          }
          const log = logOf(rows);
          const { file } = log.history.without(by(log, 1, 1));
          expect(textIn(file).split('\n').toSorted()).toEqual(lines);
        },
      ),
      {
        numRuns: 400,
        examples: [
          // Words that were restored and removed twice, and the character before them.
          [
            3,
            [
              { what: 1, at: 1132766816, to: 287034111 },
              { what: 1, at: 1320445118, to: 775914196 },
              { what: 1, at: 2, to: 0 },
              { what: 0, at: 2, to: 0 },
            ],
            false,
            [
              { isPage: true, at: 0, after: 0 },
              { isPage: false, at: 1495437032, after: 1 },
            ],
          ],
          // Two removals that were restored at once, then a third one.
          [
            1,
            [
              { what: 1, at: 0, to: 1 },
              { what: 1, at: 7, to: 7 },
              { what: 1, at: 0, to: 0 },
              { what: 0, at: 0, to: 0 },
            ],
            false,
            [{ isPage: false, at: 0, after: 1 }],
          ],
          // After the last removal the text is as it was between the first two.
          [
            1,
            [
              { what: 1, at: 1, to: 19 },
              { what: 1, at: 0, to: 0 },
              { what: 1, at: 0, to: 0 },
              { what: 1, at: 1, to: 19 },
            ],
            false,
            [{ isPage: false, at: 0, after: 2 }],
          ],
        ],
      },
    );
  });

  test('keeps what others wrote into what they brought back', () => {
    const { rows, alice, bob } = twoPeople('Bring soup and bread.', 'The boat leaves at nine.');
    const earlier = logOf(rows).history.file(1);
    const [, second] = parseBody(alice.doc);
    textAt(bob.doc, 0).delete(6, 5);
    bodyOf(bob.doc).delete(1, 1);
    bob.send(rows);
    alice.receive(rows);
    restoreBlock(alice.doc, earlier, second?.id);
    textAt(alice.doc, 1).insert(24, ' On time.');
    textAt(alice.doc, 0).insert(6, 'soup and cold ');
    alice.send(rows);
    const log = logOf(rows);
    expect(textIn(log.history.without(by(log, 1, 1)).file)).toBe(
      'Bring soup and cold and bread.\nThe boat leaves at nine. On time.',
    );
  });

  test('of no one’s edits changes nothing, and of everyone’s since a row gives the page as of that row', () => {
    fc.assert(
      fc.property(anyBlocks, fc.array(anyStep, { maxLength: 20 }), fc.nat(), (blocks, steps, at) => {
        const rows = writeLog(blocks, steps);
        const log = logOf(rows);
        const since = 1 + (at % rows.length);
        const all = log.history.without((contribution) => log.contribution(contribution).seq > since);
        expect(all.blocks).toEqual(log.history.blocks(log.limitOf(since) ?? 0));
        expect(log.history.without(() => false).blocks).toEqual(log.history.blocks(log.limitOf(rows.length) ?? 0));
      }),
      { numRuns: 100 },
    );
  });
});

const WORDS = ['rope', 'tide', 'boat', 'slip', 'buoy', 'wave', 'desk', 'swim', 'pier'];

const anyVandalism = fc.record({ what: fc.nat(3), at: fc.nat(), to: fc.nat() });

/** Deletes a block, deletes or inserts words, inserts a block. */
function vandalize(doc: Y.Doc, { what, at, to }: typeof anyVandalism extends fc.Arbitrary<infer T> ? T : never): void {
  const body = bodyOf(doc);
  const index = at % Math.max(1, body.length);
  const block = body.length === 0 ? null : body.get(index);
  const text = block instanceof Y.XmlElement ? block.get(0) : null;
  doc.transact(() => {
    if (what === 0 && block !== null) body.delete(index, 1);
    else if (what === 1 && text instanceof Y.XmlText && text.length > 0) {
      const from = to % text.length;
      text.delete(from, Math.min(text.length - from, 1 + (at % 9)));
    } else if (what === 2 && text instanceof Y.XmlText) text.insert(to % (text.length + 1), 'SPAM');
    else if (what === 3)
      body.insert(to % (body.length + 1), Array.from(elementsOfBlocks([textBlock({}, [plainRun('SPAM SPAM')])])));
  });
}

/** Someone with a copy of the page types missing lines again. */
function pasteMissing(doc: Y.Doc, lines: readonly string[]): void {
  const now = new Set(bodyText(doc).split('\n'));
  const missing = lines.filter((line) => !now.has(line));
  if (missing.length < lines.length || bodyOf(doc).length > 0) return;
  bodyOf(doc).insert(0, Array.from(elementsOfBlocks(missing.map((line) => textBlock({}, [plainRun(line)])))));
}

/** Text for one person's blocks, then their characters, from a private area of Unicode: no one else writes them. */
const OWN = '\u{e000}';
const FIRST_CHARACTER = 0xe001;

function withoutWritten(file: PageFile): PageFile {
  const body = file.body.filter((node) => !JSON.stringify(node).includes(`"${OWN}"`));
  return { ...file, body: JSON.parse(JSON.stringify(body).replaceAll(/[\ue001-\ue0ff]/gu, '')) };
}

/** No surrogate pair is cut. */
function wholeOffset(text: Y.XmlText, offset: number): number {
  const delta: readonly { readonly insert: unknown }[] = text.toDelta();
  const characters = delta.map(({ insert }) => (typeof insert === 'string' ? insert : ' ')).join('');
  return /[\uD800-\uDBFF]/.test(characters.charAt(offset - 1)) ? offset + 1 : offset;
}

const by = (log: PageLog, person: number, since: number) => (contribution: number) => {
  const { seq, session } = log.contribution(contribution);
  return seq > since && session === sessionOf(person);
};

function twoPeople(...lines: readonly string[]) {
  const rows: Row[] = [];
  const [alice, bob] = [new Writer(0), new Writer(1)];
  fillPage(alice.doc, 'Plan', elementsOfBlocks(lines.map((line) => textBlock({}, [plainRun(line)]))));
  alice.send(rows);
  bob.receive(rows);
  return { rows, alice, bob };
}

function textIn(file: PageFile): string {
  const doc = newDoc();
  restorationsOf(doc).page(file);
  return bodyText(doc);
}

function textAt(doc: Y.Doc, at: number): Y.XmlText {
  const block = bodyOf(doc).get(at);
  const text = block instanceof Y.XmlElement ? block.get(0) : null;
  if (!(text instanceof Y.XmlText)) throw new Error('no text');
  return text;
}
