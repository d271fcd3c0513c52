// The cost of history at rest, before and after compacting: rows and bytes of recorded and synthetic histories, in editing
// sessions of 1,500 rows. Needs no server: a row's overhead in PostgreSQL was measured there (docs/scale.md).
import { blankSeed } from 'weft-document/seed.ts';
import { withCompacted } from 'weft-sync/log/compact-rows.ts';
import { SEED_CLIENT_ID, SEED_SESSION, type SessionId, parseSessionId } from 'weft-sync/protocol/ids.ts';
import type { Row } from 'weft-sync/protocol/row.ts';
import { bytesOf } from 'weft-sync/state/replica.ts';
import { decodeUpdate } from 'weft-sync/updates/decoded-update.ts';
import { mergeUpdates } from 'weft-sync/updates/merge-updates.ts';
import { planPage } from '../../scripts/compact/plan-page.ts';
import type { Benchmark, Figures, Line, ResultBySystem } from '../benchmark.ts';
import { bytes } from '../figures.ts';
import { BLANK_PAGE, SYNTHETIC_OPERATIONS, recordedHistories, syntheticHistory } from '../histories.ts';
import { median } from '../percentiles.ts';

/** A row takes this many bytes in the table and its indexes, beside those of its edits. */
const ROW_BYTES = 111 + 151;
const PART_BYTES = 36;
const KEYS_PER_ROW = 3;
const ROWS_PER_EDITING_SESSION = 1500;
const PAUSE_BETWEEN_EDITING_SESSIONS_MS = 60 * 60_000;
/** Someone who writes 10,000 keys on each of 220 days. */
const KEYS_PER_YEAR = 2_200_000;
const MB = 1_000_000;

export const growth: Benchmark = {
  title: 'What history costs at rest, and compacted',
  systems: ['no-sync'],
  rounds: 1,
  run: ({ isQuick }) => Promise.resolve(run(isQuick)),
  judge,
};

function run(isQuick: boolean): Figures {
  const values: Record<string, number> = {};
  const histories = isQuick
    ? [syntheticHistory(2_000, BLANK_PAGE)]
    : [...recordedHistories(BLANK_PAGE), syntheticHistory(SYNTHETIC_OPERATIONS, BLANK_PAGE)];
  for (const { name, updates } of histories) {
    const rows = rowsOf([blankSeed(), ...updates]);
    const runs = planPage(rows, { before: Infinity, versions: [], textSeq: Infinity });
    if (runs === null) throw new Error(`${name} would not say the same`);
    const compacted = withCompacted(rows, runs);
    values[`${name}: rows`] = rows.length;
    values[`${name}: rows compacted`] = compacted.length;
    values[`${name}: bytes per key`] = atRest(rows) / updates.length;
    values[`${name}: bytes per key compacted`] = atRest(compacted) / updates.length;
  }
  return { samples: {}, values };
}

const atRest = (rows: readonly Row[]): number =>
  rows.reduce((sum, row) => sum + ROW_BYTES + bytesOf(row) + PART_BYTES * row.dependencies.length, 0);

function sessionOf(client: number): SessionId {
  const session = parseSessionId(`00000000-0000-4000-8000-${client.toString(16).padStart(12, '0')}`);
  if (session === null) throw new Error('malformed session');
  return session;
}

/** Rows of one author each, of the keys that go into one append. */
function rowsOf(updates: readonly Uint8Array[]): readonly Row[] {
  const rows: Row[] = [];
  const lastN = new Map<number, number>();
  let together: Uint8Array<ArrayBuffer>[] = [];
  let author = SEED_CLIENT_ID;
  const finish = () => {
    if (together.length === 0) return;
    const from = (lastN.get(author) ?? 0) + 1;
    lastN.set(author, from + together.length - 1);
    rows.push({
      seq: rows.length + 1,
      at: rows.length * 1000 + Math.floor(rows.length / ROWS_PER_EDITING_SESSION) * PAUSE_BETWEEN_EDITING_SESSIONS_MS,
      session: author === SEED_CLIENT_ID ? SEED_SESSION : sessionOf(author),
      clientId: author,
      nFrom: from,
      nTo: from + together.length - 1,
      update: mergeUpdates(together),
      dependencies: [],
    });
    together = [];
  };
  for (const update of updates) {
    const one = new Uint8Array(update);
    const by = decodeUpdate(one)?.structs[0]?.id.client ?? author;
    if (by !== author || together.length >= KEYS_PER_ROW) finish();
    author = by;
    together.push(one);
  }
  finish();
  return rows;
}

function judge(measured: ResultBySystem): readonly Line[] {
  const values = measured['no-sync']?.values ?? {};
  const names = Object.keys(values).flatMap((name) => (name.endsWith(': rows') ? [name.slice(0, -6)] : []));
  return names.flatMap((name): readonly Line[] => {
    const of = (what: string) => median(values[`${name}: ${what}`] ?? []);
    const perYear = (perKey: number) => (perKey * KEYS_PER_YEAR) / MB;
    const after = perYear(of('bytes per key compacted'));
    return [
      {
        what: `${name}: bytes a key, MB a year and writer`,
        figure: `${bytes(of('bytes per key'))}, ${perYear(of('bytes per key')).toFixed(0)} MB`,
        goal: '–',
        isReached: null,
      },
      {
        what: `${name}, compacted: rows of ${of('rows')}, bytes a key, MB a year and writer`,
        figure: `${of('rows compacted')}, ${bytes(of('bytes per key compacted'))}, ${after.toFixed(1)} MB`,
        goal: '–',
        isReached: null,
      },
    ];
  });
}
