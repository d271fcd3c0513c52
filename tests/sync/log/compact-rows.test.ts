// Compacted logs say the same as before: the page, each character's author, the author of each removal, the times of editing
// sessions.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { plainRun, textBlock } from 'weft-document/blocks/detached-block.ts';
import { elementsOfBlocks, fillPage } from 'weft-document/body/fill-page.ts';
import { bodyOf } from 'weft-document/names.ts';
import { compactRows, withCompacted } from 'weft-sync/log/compact-rows.ts';
import { SEED_SESSION } from 'weft-sync/protocol/ids.ts';
import type { Row } from 'weft-sync/protocol/row.ts';
import { Replica } from 'weft-sync/state/replica.ts';
import { docContent } from 'weft-sync/updates/content.ts';
import { newDoc } from 'weft-sync/updates/new-doc.ts';
import * as Y from 'yjs';
import { type PageLimits, planPage, saidAt } from '../../../scripts/compact/plan-page.ts';
import { PageLog } from '../../../src/sessions/history/page-log.ts';
import { anyBlocks } from '../../support/editor/any-blocks.ts';
import { type Step, Writer, anyStep, sessionOf, writeLog } from '../../support/editor/random-log.ts';

const MINUTE = 60_000;
const ALL: PageLimits = { before: Infinity, versions: [], textSeq: Infinity };

/** The same rows, with pauses between editing sessions after some of them. */
function withPauses(rows: readonly Row[], pauses: readonly number[]): readonly Row[] {
  let at = 0;
  return rows.map((row, index) => {
    at += pauses.includes(index) ? 31 * MINUTE : MINUTE;
    return { ...row, at };
  });
}

function logOf(rows: readonly Row[]): PageLog {
  const log = new PageLog();
  expect(log.take(rows)).toBe(true);
  return log;
}

function planned(rows: readonly Row[], limits: Partial<PageLimits> = {}) {
  const runs = planPage(rows, { ...ALL, ...limits });
  if (runs === null) throw new Error('the log would say something else');
  return { runs, rows: withCompacted(rows, runs) };
}

const LINE = [textBlock({}, [plainRun('Here')])];
const characters = (count: number): readonly Step[] =>
  Array.from({ length: count }, (_, at) => ({
    person: at % 2,
    what: 5,
    at: 1 + at,
    to: 1,
    text: String.fromCodePoint(97 + (at % 26)),
    sends: true,
    receives: true,
  }));

describe('a compacted log', () => {
  test('shows the same page with the same authors at every row that is left', () => {
    fc.assert(
      fc.property(
        anyBlocks,
        fc.array(anyStep, { maxLength: 60 }),
        fc.array(fc.nat(60), { maxLength: 4 }),
        fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 3 }),
        (blocks, steps, pauses, named) => {
          const rows = withPauses(writeLog(blocks, steps), pauses);
          const versions = named.filter((seq) => seq <= rows.length);
          const compacted = planned(rows, { versions });
          const [before, after] = [logOf(rows), logOf(compacted.rows)];
          expect(after.seq).toBe(rows.length);
          expect(after.skipped).toEqual(before.skipped);
          for (const { seq } of compacted.rows) expect(saidAt(after, seq)).toBe(saidAt(before, seq));
          for (const seq of versions) expect(compacted.rows.map((row) => row.seq)).toContain(seq);
        },
      ),
      { numRuns: 300 },
    );
  });

  test('has the removals of each person, also where two deleted the same characters', () => {
    fc.assert(
      fc.property(fc.array(anyStep, { maxLength: 50 }), (steps) => {
        const rows = withPauses(writeLog([textBlock({}, [plainRun('Some letters to begin with.')])], steps), []);
        const compacted = planned(rows);
        const [before, after] = [logOf(rows), logOf(compacted.rows)];
        expect(removedBy(after, rows.length)).toEqual(removedBy(before, rows.length));
      }),
      { numRuns: 300 },
    );
  });

  test('names the first of two people who deleted the same characters', () => {
    const log: Row[] = [];
    const [alice, bob] = written(log, ['Both delete this.']);
    lineOf(alice.doc, 0).insert(0, 'A');
    alice.send(log);
    lineOf(bob.doc, 0).delete(0, 4);
    bob.send(log);
    // Alice has not seen it.
    lineOf(alice.doc, 0).delete(1, 4);
    alice.send(log);
    const rows = withPauses(log, []);
    const compacted = planned(rows);
    expect(compacted.runs).not.toEqual([]);
    expect(removedBy(logOf(rows), 4)).toEqual({ [sessionOf(1)]: 1 });
    expect(removedBy(logOf(compacted.rows), 4)).toEqual({ [sessionOf(1)]: 1 });
  });

  test('takes words that someone typed for their own, also where the same stand on the page already', () => {
    const log: Row[] = [];
    const [, bob] = written(log, ['the very same words', 'Two: ']);
    Array.from('the very same words').forEach((character, at) => {
      lineOf(bob.doc, 1).insert(5 + at, character);
      bob.send(log);
    });
    const rows = withPauses(log, []);
    const compacted = planned(rows);
    expect(compacted.rows).toHaveLength(2);
    expect(saidAt(logOf(compacted.rows), rows.length)).toContain(sessionOf(1));
  });

  test('can be compacted again, and nothing is left to do then', () => {
    const rows = withPauses(writeLog(LINE, characters(200)), [50, 100]);
    const compacted = planned(rows);
    // The page's first row stays.
    expect(compacted.rows.map(({ seq, firstSeq }) => [firstSeq, seq])).toEqual([
      [undefined, 1],
      [2, 50],
      [51, 100],
      [101, rows.length],
    ]);
    expect(planned(compacted.rows).runs).toEqual([]);
  });

  test('keeps the time of each editing session and the number of each edit', () => {
    const rows = withPauses(writeLog(LINE, characters(40)), [20]);
    const compacted = planned(rows);
    for (const { replaced, row } of compacted.runs) {
      expect([row.firstAt, row.at]).toEqual([replaced[0]?.at, replaced.at(-1)?.at]);
      for (const part of [...row.dependencies, row]) {
        const own = replaced.filter(({ session }) => session === part.session);
        expect([part.nFrom, part.nTo]).toEqual([own[0]?.nFrom, own.at(-1)?.nTo]);
      }
    }
    expect(compacted.runs).not.toEqual([]);
  });

  test('leaves young editing sessions, rows that the text copy lacks, damaged rows and relays as they are', () => {
    const rows = withPauses(writeLog(LINE, characters(30)), [10, 20]);
    const young = planned(rows, { before: rows[15]?.at ?? 0 });
    expect(young.rows.filter(({ firstSeq }) => firstSeq !== undefined)).toHaveLength(1);
    expect(planned(rows, { textSeq: 5 }).runs.map(({ row }) => row.seq)).toEqual([5]);
    const damaged = rows.map((row) => (row.seq === 5 ? { ...row, update: Uint8Array.of(9, 9, 9) } : row));
    const found = planPage(damaged, ALL);
    expect(found?.flatMap(({ replaced }) => replaced.map(({ seq }) => seq))).not.toContain(5);
    const relay = rows.map((row) => (row.seq === 5 ? { ...row, nFrom: 0, nTo: 0, update: new Uint8Array() } : row));
    for (const run of compactRows(relay, { before: Infinity, kept: new Set(), ends: new Set(), until: Infinity }))
      expect(run.replaced.map(({ seq }) => seq)).not.toContain(5);
  });

  test('[HI4] leaves a row that was put back as it is: nothing says whose edits it holds', () => {
    const rows = withPauses(writeLog(LINE, characters(30)), []).map((row) =>
      row.seq === 12 ? { ...row, session: SEED_SESSION } : row,
    );
    const runs = compactRows(rows, { before: Infinity, kept: new Set(), ends: new Set(), until: Infinity });
    expect(runs.map(({ row }) => row.seq)).toContain(11);
    expect(runs.flatMap(({ replaced }) => replaced.map(({ seq }) => seq))).not.toContain(12);
  });

  test('keeps who brought an edit, unless its author appended it too', () => {
    const rows = withPauses(writeLog(LINE, characters(6)), []);
    const [, one, two, three] = rows;
    if (one === undefined || two === undefined || three === undefined) throw new Error('no rows');
    const brought = { ...two, dependencies: [{ ...part(three) }] };
    const repeated = [...rows.slice(0, 2), brought, ...rows.slice(3)];
    const { runs } = planned(repeated);
    expect(runs.flatMap(({ replaced }) => replaced.map(({ seq }) => seq))).toContain(3);
    // After an erasure, an author's append leaves out characters that another row had brought along.
    const withoutText = repeated.map((row) => (row.seq === 4 ? { ...row, update: Uint8Array.of(0, 0) } : row));
    const alone = compactRows(withoutText, { before: Infinity, kept: new Set(), ends: new Set(), until: Infinity });
    expect(alone.flatMap(({ replaced }) => replaced.map(({ seq }) => seq))).not.toContain(3);
    // The same edits, which their author never appended.
    const vanished = rows.filter(({ seq }) => seq !== 4).map((row, at) => ({ ...row, seq: at + 1 }));
    const kept = vanished.map((row) => (row.seq === 3 ? brought : row));
    const found = compactRows(kept.slice(0, 3), {
      before: Infinity,
      kept: new Set(),
      ends: new Set(),
      until: Infinity,
    });
    expect(found.flatMap(({ replaced }) => replaced.map(({ seq }) => seq))).not.toContain(3);
  });
});

/** Alice and Bob have a page of these lines. */
function written(log: Row[], lines: readonly string[]): readonly [Writer, Writer] {
  const [alice, bob] = [new Writer(0), new Writer(1)];
  fillPage(alice.doc, 'A page', elementsOfBlocks(lines.map((line) => textBlock({}, [plainRun(line)]))));
  alice.send(log);
  bob.receive(log);
  return [alice, bob];
}

function lineOf(doc: Y.Doc, index: number): Y.XmlText {
  const block = bodyOf(doc).get(index);
  const text = block instanceof Y.XmlElement ? block.get(0) : null;
  if (!(text instanceof Y.XmlText)) throw new Error('no line');
  return text;
}

const part = ({ session, clientId, nFrom, nTo, update }: Row) => ({ session, clientId, nFrom, nTo, update });

/** The characters that each session removed. */
function removedBy(log: PageLog, seq: number): Record<string, number> {
  const found: Record<string, number> = {};
  const { history } = log;
  const compared = history.compare(log.limitOf(1) ?? 0, log.limitOf(seq) ?? 0);
  for (const parts of compared.removals.values())
    for (const takers of parts.values())
      for (const contribution of takers) {
        const by = contribution === null ? 'nobody' : log.contribution(contribution).session;
        found[by] = (found[by] ?? 0) + 1;
      }
  return found;
}

describe('a reader of compacted rows', () => {
  test('[LG10] gets the same page wherever they stopped before, and in whatever order rows come', () => {
    fc.assert(
      fc.property(
        anyBlocks,
        fc.array(anyStep, { maxLength: 40 }),
        fc.nat(),
        fc.boolean(),
        (blocks, steps, stop, isReversed) => {
          const rows = withPauses(writeLog(blocks, steps), []);
          const compacted = planned(rows).rows;
          const stopped = stop % (rows.length + 1);
          const doc = newDoc(0);
          const replica = new Replica(doc, null);
          replica.take(rows.slice(0, stopped));
          const missing = compacted.filter(({ seq }) => seq > stopped);
          for (const row of isReversed ? missing.toReversed() : missing) replica.take([row]);
          expect(replica.seq).toBe(rows.length);
          expect(replica.hasGap).toBe(false);
          expect(docContent(doc)).toBe(docContent(replayed(rows)));
          for (const { session, nTo } of rows) expect(replica.appendedN(session)).toBeGreaterThanOrEqual(nTo);
        },
      ),
      { numRuns: 200 },
    );
  });
});

function replayed(rows: readonly Row[]): Y.Doc {
  const doc = newDoc(0);
  new Replica(doc, null).take(rows);
  return doc;
}
