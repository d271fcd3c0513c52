// The cost of a long page's history. In its worker: reading the log, the page as of any row, steps, differences and authors,
// with rows from recorded and synthetic histories, in the sizes in which people append them. In Chromium: a step until it is
// painted.
import { textBlock, plainRun } from 'weft-document/blocks/detached-block.ts';
import { elementsOfBlocks, fillPage } from 'weft-document/body/fill-page.ts';
import { bodyOf } from 'weft-document/names.ts';
import { blankSeed } from 'weft-document/seed.ts';
import { SEED_CLIENT_ID, SEED_SESSION, type SessionId, parseSessionId } from 'weft-sync/protocol/ids.ts';
import type { Row } from 'weft-sync/protocol/row.ts';
import { decodeUpdate } from 'weft-sync/updates/decoded-update.ts';
import { mergeUpdates } from 'weft-sync/updates/merge-updates.ts';
import { newDoc } from 'weft-sync/updates/new-doc.ts';
import * as Y from 'yjs';
import { prng } from '../../src/lib/prng.ts';
import { answerJob } from '../../src/sessions/history/answer-question.ts';
import { PageLog } from '../../src/sessions/history/page-log.ts';
import type { Benchmark, Figures, Line, ResultBySystem } from '../benchmark.ts';
import { historySteps } from '../editor/history-steps.ts';
import { ms } from '../figures.ts';
import { BLANK_PAGE, SYNTHETIC_OPERATIONS, recordedHistories, syntheticHistory } from '../histories.ts';
import { median, percentile } from '../percentiles.ts';

const OPERATIONS_PER_ROW = 13;
const BLOCKS = 1000;
const BLOCK_ROWS = 20_000;
const STEPS = 60;
const DIFFERENCES = 40;

export const history: Benchmark = {
  title: 'The history of long pages',
  systems: ['weft'],
  rounds: 1,
  run: async ({ isQuick, server }) => {
    const { samples, values } = inWorker(isQuick);
    return { samples: { ...samples, ...(await historySteps(server.url, isQuick)) }, values };
  },
  judge,
};

function inWorker(isQuick: boolean): Figures {
  const samples: Record<string, number[]> = {};
  const values: Record<string, number> = {};
  const traces = isQuick
    ? [syntheticHistory(2_000, BLANK_PAGE)]
    : [...recordedHistories(BLANK_PAGE), syntheticHistory(SYNTHETIC_OPERATIONS, BLANK_PAGE)];
  const pages = [
    ...traces.map(({ name, updates }) => [name, rowsOf([blankSeed(), ...updates])] as const),
    [`${BLOCKS} blocks`, rowsOfBlocks(isQuick ? 200 : BLOCK_ROWS, isQuick ? 50 : BLOCKS)] as const,
  ];
  for (const [name, rows] of pages) {
    const random = prng(20_261_123);
    const log = new PageLog();
    const loading = timed(() => {
      for (let at = 0; at < rows.length; at += 1000) log.take(rows.slice(at, at + 1000));
    });
    values[`${name}: rows`] = rows.length;
    values[`${name}: load`] = loading;
    const seqAt = () => Math.floor(random() * (rows.length + 1));
    const jumps = (samples[`${name}: any row`] = [] as number[]);
    const steps = (samples[`${name}: step`] = [] as number[]);
    for (let n = 0; n < STEPS; n++) {
      const seq = seqAt();
      const known = log.seq;
      jumps.push(timed(() => answerJob(log, { kind: 'page', seq, known })));
      steps.push(timed(() => answerJob(log, { kind: 'page', seq: Math.max(0, seq - 1), known })));
    }
    const changes = (samples[`${name}: changes`] = [] as number[]);
    const authors = (samples[`${name}: authors`] = [] as number[]);
    for (let n = 0; n < DIFFERENCES; n++) {
      changes.push(timed(() => answerJob(log, { kind: 'changes', from: seqAt(), to: seqAt(), known: log.seq })));
      authors.push(timed(() => answerJob(log, { kind: 'authors', seq: seqAt(), known: log.seq })));
    }
    values[`${name}: timeline`] = timed(() => answerJob(log, { kind: 'timeline', columns: 400, known: log.seq }));
  }
  return { samples, values };
}

function timed(work: () => unknown): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}

function sessionOf(index: number): SessionId {
  const session = parseSessionId(`00000000-0000-4000-8000-${String(index + 1).padStart(12, '0')}`);
  if (session === null) throw new Error('malformed session');
  return session;
}

/** Rows as a log has them: of one author each. */
function rowsOf(updates: readonly Uint8Array[], operations = OPERATIONS_PER_ROW): readonly Row[] {
  const rows: Row[] = [];
  let together: Uint8Array<ArrayBuffer>[] = [];
  let author = -1;
  const finish = () => {
    if (together.length === 0) return;
    rows.push({
      seq: rows.length + 1,
      at: rows.length * 20_000,
      session: author === SEED_CLIENT_ID ? SEED_SESSION : sessionOf(author % 1000),
      clientId: author,
      nFrom: 1,
      nTo: 1,
      update: mergeUpdates(together),
      dependencies: [],
    });
    together = [];
  };
  for (const update of updates) {
    const bytes = new Uint8Array(update);
    const by = decodeUpdate(bytes)?.structs[0]?.id.client ?? author;
    if (by !== author || together.length >= operations) finish();
    author = by;
    together.push(bytes);
  }
  finish();
  return rows;
}

/** Three people write in, move and delete blocks of a long page. */
function rowsOfBlocks(count: number, blocks: number): readonly Row[] {
  const random = prng(20_261_124);
  const docs = [0, 1, 2].map((person) => newDoc(5_000 + person));
  const updates: Uint8Array[] = [];
  for (const doc of docs) {
    doc.on('update', (update: Uint8Array, _origin: unknown, _doc: Y.Doc, { local }: Y.Transaction) => {
      if (!local) return;
      updates.push(update);
      for (const other of docs) if (other !== doc) Y.applyUpdate(other, update, 'row');
    });
  }
  const words = (length: number) => Array.from({ length }, () => Math.floor(random() * 36 ** 5).toString(36)).join(' ');
  const [first] = docs;
  if (first !== undefined)
    fillPage(
      first,
      'A long page',
      elementsOfBlocks(Array.from({ length: blocks }, () => textBlock({}, [plainRun(words(20))]))),
    );
  while (updates.length < count) {
    const doc = docs[Math.floor(random() * docs.length)];
    if (doc === undefined) continue;
    const body = bodyOf(doc);
    const at = Math.floor(random() * body.length);
    const block = body.get(at);
    const text = block instanceof Y.XmlElement ? block.get(0) : null;
    if (!(block instanceof Y.XmlElement) || !(text instanceof Y.XmlText)) continue;
    doc.transact(() => {
      const dice = random();
      if (dice < 0.02) {
        const copy = block.clone();
        body.delete(at, 1);
        body.insert(Math.floor(random() * body.length), [copy]);
      } else if (dice < 0.3 && text.length > 10) text.delete(Math.floor(random() * (text.length - 8)), 8);
      else text.insert(Math.floor(random() * text.length), words(2));
    });
  }
  return rowsOf(updates, 1);
}

/** The longest time allowed, in ms. */
const GOALS: Readonly<Record<string, number>> = {
  'any row': 1000,
  step: 100,
  changes: 200,
  'step on the screen': 100,
};

function judge(measured: ResultBySystem): readonly Line[] {
  const { samples = {}, values = {} } = measured.weft ?? {};
  const lines = Object.entries(samples).map(([what, times]): Line => {
    const goal = GOALS[what.split(': ')[1] ?? ''];
    const most = percentile(times, 95);
    return {
      what,
      figure: `p50 ${ms(percentile(times, 50))}, p95 ${ms(most)}, highest ${ms(percentile(times, 100))}`,
      goal: goal === undefined ? '' : `≤ ${goal} ms`,
      isReached: goal === undefined ? null : most <= goal,
    };
  });
  const single = Object.entries(values).map(([what, found]): Line => {
    const value = median(found);
    const isTime = /: (?:load|timeline)$/.test(what);
    return { what, figure: isTime ? ms(value) : String(value), goal: '', isReached: null };
  });
  return [...lines, ...single];
}
