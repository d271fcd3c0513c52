// The page as of any row, who wrote it and what changed, against a plain replay of the log.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { textOfRuns } from 'weft-document/blocks/block.ts';
import { plainRun, textBlock } from 'weft-document/blocks/detached-block.ts';
import { elementsOfBlocks, fillPage } from 'weft-document/body/fill-page.ts';
import { parseBody } from 'weft-document/body/parse-body.ts';
import { textOfBlock } from 'weft-document/changes/block-parts.ts';
import { countedWords } from 'weft-document/changes/text-changes.ts';
import { OWN_TEXT } from 'weft-document/changes/text-part.ts';
import { type PageFile, fileOfPage } from 'weft-document/formats/page-json.ts';
import { bodyOf } from 'weft-document/names.ts';
import { readTitle } from 'weft-document/title.ts';
import type { Row } from 'weft-sync/protocol/row.ts';
import { Replica } from 'weft-sync/state/replica.ts';
import { newDoc } from 'weft-sync/updates/new-doc.ts';
import * as Y from 'yjs';
import { PageLog } from '../../../src/sessions/history/page-log.ts';
import { anyBlocks } from '../../support/editor/any-blocks.ts';
import { Writer, anyStep, sessionOf, writeLog } from '../../support/editor/random-log.ts';
import { repeatedly, timesAsLong } from '../../support/times-as-long.ts';

function replayed(rows: readonly Row[]): Y.Doc {
  const doc = newDoc(0);
  new Replica(doc, null).take(rows);
  return doc;
}

function logOf(rows: readonly Row[]): PageLog {
  const log = new PageLog();
  expect(log.take(rows)).toBe(true);
  return log;
}

/** Loose content is in a file only for people who read it. */
const blocksOf = ({ body }: PageFile) => body.filter((node) => 'node' in node);
const limitOf = (log: PageLog, seq: number): number => log.limitOf(seq) ?? -1;

describe('the page as of a row', () => {
  test('is what the rows up to there make of an empty page, also after steps to and fro', () => {
    fc.assert(
      fc.property(
        anyBlocks,
        fc.array(anyStep, { maxLength: 30 }),
        fc.array(fc.nat(), { maxLength: 10 }),
        (blocks, steps, jumps) => {
          const rows = writeLog(blocks, steps);
          const log = logOf(rows);
          const seqs = [...rows.map(({ seq }) => seq), ...jumps.map((at) => at % (rows.length + 1))];
          for (const seq of seqs) {
            const plain = replayed(rows.slice(0, seq));
            const limit = limitOf(log, seq);
            expect(log.history.blocks(limit)).toEqual(parseBody(plain));
            expect(log.history.title(limit)).toBe(readTitle(plain));
            expect(blocksOf(log.history.file(limit))).toEqual(blocksOf(fileOfPage(plain, null)));
          }
        },
      ),
      { numRuns: 150 },
    );
  });

  test('is the page before it where the row is damaged, and a row that is missing is not skipped silently', () => {
    const rows = writeLog([textBlock({}, [plainRun('One.')])], []);
    const damaged: Row = { ...sentBy(1), seq: 2, update: Uint8Array.of(9, 9, 9) };
    const log = logOf([...rows, damaged]);
    expect(log.skipped).toEqual([2]);
    expect(log.history.blocks(limitOf(log, 2))).toEqual(log.history.blocks(limitOf(log, 1)));
    expect(log.limitOf(3)).toBe(null);
    expect(log.take([{ ...damaged, seq: 4 }])).toBe(false);
    expect(log.seq).toBe(2);
  });
});

const sentBy = (person: number): Omit<Row, 'seq' | 'update'> => ({
  session: sessionOf(person),
  clientId: 2000 + person,
  nFrom: 1,
  nTo: 1,
  dependencies: [],
});

describe('authors', () => {
  test('a character keeps its author when its block is moved, split, joined or copied', () => {
    fc.assert(
      fc.property(fc.array(anyContribution, { maxLength: 40 }), (contributions) => {
        const { rows, characters } = slowModel(contributions);
        const log = logOf(rows);
        const limit = limitOf(log, rows.length);
        const authors = log.history.authors(limit);
        const found = log.history.blocks(limit).map((block) => {
          const text = block.type === 'block' ? textOfRuns(block.runs) : '';
          const ranges = authors.get(block.key)?.get(OWN_TEXT) ?? [];
          return ranges.flatMap(({ from, to, contribution }) =>
            Array.from(
              { length: to - from },
              (_, at) => `${text[from + at] ?? ''}${log.contribution(contribution).session.at(-1) ?? ''}`,
            ),
          );
        });
        expect(found).toEqual(characters);
      }),
      { numRuns: 300 },
    );
  });
});

describe('authors of people who write at once', () => {
  test('each character has its own writer, also where three type in one text without having read the others', () => {
    const typing = fc.record({
      person: fc.nat(2),
      at: fc.nat(),
      count: fc.nat(20),
      sends: fc.boolean(),
      reads: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(typing, { maxLength: 60 }), (steps) => {
        const rows: Row[] = [];
        const people = [0, 1, 2].map((person) => new Writer(person));
        const [first] = people;
        if (first !== undefined) fillPage(first.doc, '', elementsOfBlocks([textBlock({}, [])]));
        first?.send(rows);
        for (const writer of people) writer.receive(rows);
        for (const { person, at, count, sends, reads } of steps) {
          const writer = people[person];
          if (writer === undefined) continue;
          const text = textAt(writer.doc, 0);
          if (count === 0 && text.length > 0) text.delete(at % text.length, 1);
          else text.insert(at % (text.length + 1), `${person + 1}`.repeat(count));
          if (sends || reads) writer.send(rows);
          if (reads) writer.receive(rows);
        }
        for (const writer of people) writer.send(rows);
        const log = logOf(rows);
        const limit = limitOf(log, rows.length);
        const authors = log.history.authors(limit);
        for (const block of log.history.blocks(limit)) {
          const text = block.type === 'block' ? textOfRuns(block.runs) : '';
          for (const { from, to, contribution } of authors.get(block.key)?.get(OWN_TEXT) ?? [])
            expect(text.slice(from, to)).toBe((log.contribution(contribution).session.at(-1) ?? '').repeat(to - from));
        }
      }),
      { numRuns: 200 },
    );
  });
});

const anyContribution = fc.record({
  person: fc.nat(2),
  what: fc.nat(8),
  at: fc.nat(),
  to: fc.nat(),
  count: fc.integer({ min: 1, max: 20 }),
});

/**
 * Follows each character by itself: one person after the other does one thing, with all rows received. Each typed character is
 * another one, so that no two texts are equal by chance. Characters have their author's number behind them.
 */
function slowModel(contributions: readonly (typeof anyContribution extends fc.Arbitrary<infer T> ? T : never)[]) {
  const people = [0, 1, 2].map((person) => new Writer(person));
  const rows: Row[] = [];
  const [first] = people;
  if (first !== undefined) fillPage(first.doc, '', elementsOfBlocks([textBlock({}, [])]));
  first?.send(rows);
  let characters: (readonly string[])[] = [[]];
  let next = 0x4e00;
  for (const { person, what, at, to, count } of contributions) {
    const writer = people[person];
    if (writer === undefined) continue;
    writer.receive(rows);
    const { doc } = writer;
    const body = bodyOf(doc);
    const index = at % characters.length;
    const line = characters[index] ?? [];
    const block = body.get(index);
    const text = block instanceof Y.XmlElement ? block.get(0) : null;
    if (!(block instanceof Y.XmlElement) || !(text instanceof Y.XmlText)) continue;
    const place = to % (line.length + 1);
    doc.transact(() => {
      if (what <= 3) {
        const typed = Array.from({ length: count }, () => String.fromCharCode(next++));
        text.insert(place, typed.join(''));
        characters[index] = line.toSpliced(place, 0, ...typed.map((character) => `${character}${person + 1}`));
      } else if (what === 4 && line.length > 0) {
        const length = Math.min(count, line.length - (to % line.length));
        text.delete(to % line.length, length);
        characters[index] = line.toSpliced(to % line.length, length);
      } else if (what === 5) {
        const goal = to % characters.length;
        const copy = block.clone();
        body.delete(index, 1);
        body.insert(goal, [copy]);
        characters = characters.toSpliced(index, 1).toSpliced(goal, 0, line);
      } else if (what === 6) {
        const [half] = elementsOfBlocks([
          textBlock({}, [
            plainRun(
              line
                .slice(place)
                .map((one) => one.charAt(0))
                .join(''),
            ),
          ]),
        ]);
        if (half === undefined) return;
        body.insert(index + 1, [half]);
        text.delete(place, line.length - place);
        characters = characters.toSpliced(index, 1, line.slice(0, place), line.slice(place));
      } else if (what === 7 && index > 0) {
        const before = body.get(index - 1);
        const target = before instanceof Y.XmlElement ? before.get(0) : null;
        if (!(target instanceof Y.XmlText)) return;
        target.insert(target.length, line.map((one) => one.charAt(0)).join(''));
        body.delete(index, 1);
        characters = characters.toSpliced(index - 1, 2, [...(characters[index - 1] ?? []), ...line]);
      } else if (what === 8 && line.length >= 12) {
        // A copy of at least twelve characters, into another block.
        const from = to % (line.length - 11);
        const copied = line.slice(from, from + 12 + (count % (line.length - 11 - from)));
        const [pasted] = elementsOfBlocks([textBlock({}, [plainRun(copied.map((one) => one.charAt(0)).join(''))])]);
        if (pasted === undefined) return;
        body.insert(index + 1, [pasted]);
        characters = characters.toSpliced(index + 1, 0, copied);
      }
    });
    writer.send(rows);
  }
  return { rows, characters };
}

describe('changes', () => {
  test('the words added less the words removed are the difference of the counts', () => {
    fc.assert(
      fc.property(anyBlocks, fc.array(anyStep, { maxLength: 20 }), fc.nat(), fc.nat(), (blocks, steps, one, other) => {
        const rows = writeLog(blocks, steps);
        const log = logOf(rows);
        const [from, to] = [one, other].map((at) => limitOf(log, at % (rows.length + 1)));
        const { changes } = log.history.compare(from ?? 0, to ?? 0);
        const count = (limit = 0) =>
          log.history.blocks(limit).reduce((sum, block) => sum + countedWords(textOfBlock(block)), 0);
        expect(changes.insertedWords - changes.removedWords).toBe(count(to) - count(from));
      }),
      { numRuns: 150 },
    );
  });

  test('say who inserted and who removed', () => {
    const log: Row[] = [];
    const [alice, bob] = [new Writer(0), new Writer(1)];
    fillPage(
      alice.doc,
      'Plan',
      elementsOfBlocks([
        textBlock({}, [plainRun('The boat leaves at nine.')]),
        textBlock({}, [plainRun('Bring soup.')]),
      ]),
    );
    alice.send(log);
    bob.receive(log);
    const text = textAt(bob.doc, 0);
    text.delete(19, 4);
    text.insert(19, 'ten');
    bob.send(log);
    alice.receive(log);
    bodyOf(alice.doc).delete(1, 1);
    alice.send(log);
    const page = logOf(log);
    const found = page.history.compare(limitOf(page, 1), limitOf(page, 3));
    const who = (contribution: number | null | undefined) =>
      contribution === null || contribution === undefined ? null : page.contribution(contribution).seq;
    const [change] = found.changes.blocks;
    const key = change?.key ?? '';
    expect(change?.text).toMatchObject({ inserted: [{ from: 19, to: 22 }], removed: [{ at: 19, text: 'nine' }] });
    expect(
      found.authors
        .get(key)
        ?.get(OWN_TEXT)
        ?.map(({ from, to, contribution }) => [from, to, who(contribution)]),
    ).toEqual([
      [0, 19, 1],
      [19, 22, 2],
      [22, 23, 1],
    ]);
    expect(found.removals.get(key)?.get(OWN_TEXT)?.map(who)).toEqual([2]);
    expect(Array.from(found.blockRemovals.values(), who)).toEqual([3]);
    const back = page.history.compare(limitOf(page, 3), limitOf(page, 1));
    expect(back.removals.get(key)?.get(OWN_TEXT)?.map(who)).toEqual([2]);
  });
});

function textAt(doc: Y.Doc, at: number): Y.XmlText {
  const block = bodyOf(doc).get(at);
  const text = block instanceof Y.XmlElement ? block.get(0) : null;
  if (!(text instanceof Y.XmlText)) throw new Error('no text');
  return text;
}

test('a dependency with 8,000 deletions takes as long as eight with 1,000', async () => {
  const logOf = (deletions: number) => {
    const rows: Row[] = [];
    const [alice, bob] = [new Writer(0), new Writer(1)];
    fillPage(alice.doc, '', elementsOfBlocks([textBlock({}, [plainRun('abcd'.repeat(deletions))])]));
    alice.send(rows);
    bob.receive(rows);
    const block = bodyOf(bob.doc).get(0);
    const text = block instanceof Y.XmlElement ? block.get(0) : null;
    bob.doc.transact(() => {
      for (let at = deletions - 1; at >= 0; at--) if (text instanceof Y.XmlText) text.delete(4 * at, 1);
    });
    bob.send(rows);
    const [first, second] = rows;
    if (first === undefined || second === undefined) throw new Error('no rows');
    return () => new PageLog().take([first, alice.relay(second)]);
  };
  expect(await timesAsLong(logOf(8_000), repeatedly(8, logOf(1_000)))).toBeLessThan(4);
});
