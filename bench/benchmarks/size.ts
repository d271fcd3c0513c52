// Goal 7: the stored size of a page. Only encodes documents; needs no server.
import * as Y from 'yjs';
import { deflate } from '../../src/lib/deflate.ts';
import type { Benchmark, Context, Figures, Line, ResultBySystem } from '../benchmark.ts';
import { bytes, ratio } from '../figures.ts';
import { HAS_RECORDED_HISTORIES, type History, recordedHistories, syntheticHistory } from '../histories.ts';

const QUICK_OPERATIONS = 2_000;
/** Typing ten keys a second alone puts three keys into one row (D2). */
const KEYS_PER_ROW = 3;

export const size: Benchmark = {
  title: 'Stored size of a page (goal 7)',
  systems: ['weft'],
  rounds: 1,
  run,
  judge,
};

async function run({ isQuick }: Context): Promise<Figures> {
  const histories = isQuick ? [syntheticHistory(QUICK_OPERATIONS)] : [...recordedHistories(), syntheticHistory()];
  const values: Record<string, number> = {};
  for (const history of histories) {
    for (const [what, value] of Object.entries(await weigh(history))) values[`${history.name}: ${what}`] = value;
  }
  return { samples: {}, values };
}

async function weigh({ doc, updates }: History): Promise<Record<string, number>> {
  const rows: number[] = [];
  for (let at = 0; at < updates.length; at += KEYS_PER_ROW)
    rows.push(Y.mergeUpdates(updates.slice(at, at + KEYS_PER_ROW)).length);
  return {
    operations: updates.length,
    snapshot: (await deflate(new Uint8Array(Y.encodeStateAsUpdateV2(doc)))).length,
    wholeState: Y.encodeStateAsUpdate(doc).length,
    logOneByOne: sum(updates.map((update) => update.length)),
    logInRows: sum(rows),
  };
}

function judge(measured: ResultBySystem): readonly Line[] {
  const values = measured.weft?.values ?? {};
  const names = Object.keys(values).filter((name) => name.endsWith(': operations'));
  const lines = names.map((key) => {
    const name = key.slice(0, -': operations'.length);
    const of = (what: string) => values[`${name}: ${what}`]?.[0] ?? Number.NaN;
    const perOperation = (what: string) => (of(what) / of('operations')).toFixed(1);
    return {
      what: name,
      figure:
        `snapshot ${bytes(of('snapshot'))}, ${ratio(of('snapshot'), of('wholeState'))} × Hocuspocus’s ${bytes(of('wholeState'))}; ` +
        `log ${perOperation('logOneByOne')} B per operation one by one, ${perOperation('logInRows')} B in rows of ${KEYS_PER_ROW}`,
      goal: '≤ Hocuspocus’s whole state',
      isReached: of('snapshot') <= of('wholeState'),
    };
  });
  if (HAS_RECORDED_HISTORIES) return lines;
  return [...lines, { what: 'recorded histories', figure: 'missing (../shared/data)', goal: '', isReached: null }];
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
