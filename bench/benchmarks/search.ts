// Full-text search in a workspace of 10,000 pages of 500 words in four languages, through the API, and what it costs to
// save the text of a page there.
import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { SCHEMA_VERSION } from '../../src/protocol/limits.ts';
import { searchAnswer } from '../../src/protocol/search-answers.ts';
import { rpc } from '../../tests/support/server/rpc.ts';
import type { Benchmark, Context, Figures, Line, ResultBySystem } from '../benchmark.ts';
import { ms } from '../figures.ts';
import { median, percentile } from '../percentiles.ts';
import { type CorpusPage, LANGUAGES, corpus } from '../search/corpus.ts';
import { Weft } from '../systems/weft.ts';

const FULL = { pages: 10_000, times: 10 } as const;
const QUICK = { pages: 20, times: 1 } as const;
const WORDS = 500;
/** Calls in flight while the pages are made. */
const WRITERS = 8;
const GOAL_MS = 100;

/** Frequent and rare words, parts of words, several words, one character, and nothing that is there. */
const QUERIES = [
  ...['boat', 'harbourlight', 'the', 'weav', 'paint clean', 'treasloum'],
  ...['boot', 'rettungsboot', 'strasse', 'PRÜF', 'bericht haus'],
  ...['東京', '会議資料', '猫', 'ﾃﾞｰﾀ', '図書計画 春'],
  ...['كتاب', 'احمد', 'والمكتبة', 'كِتَاب', 'مشروع تقرير'],
];

export const search: Benchmark = {
  title: `Searching ${FULL.pages} pages of ${WORDS} words`,
  systems: ['weft'],
  rounds: 1,
  run,
  judge,
};

async function run({ system, isQuick }: Context): Promise<Figures> {
  if (!(system instanceof Weft)) throw new Error('only Weft is measured');
  const { pages, times } = isQuick ? QUICK : FULL;
  const client = await system.owner();
  const workspace = randomUUID();
  await rpc(client, 'create_workspace', {
    id: workspace,
    name: 'Library',
    document: randomUUID(),
    schema_version: SCHEMA_VERSION,
  });

  const saves: number[] = [];
  const queue = pagesOf(pages);
  const write = async () => {
    for (const { title, text } of queue) {
      const id = randomUUID();
      await rpc(client, 'create_document', { id, workspace, parent: null, rank: 'a1', schema_version: SCHEMA_VERSION });
      const begun = performance.now();
      await rpc(client, 'save_text', { document: id, seq: 1, title, body_text: text });
      saves.push(performance.now() - begun);
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, write));

  const searches: number[] = [];
  let found = 0;
  // The first round also loads the index and compiles the functions.
  for (let round = 0; round <= times; round++) {
    for (const query of QUERIES) {
      const begun = performance.now();
      const answer = v.parse(searchAnswer, await rpc(client, 'search_documents', { workspace, query }));
      if (round > 0) searches.push(performance.now() - begun);
      found += answer.total;
    }
  }
  return {
    samples: { search: searches, [`save with ${WRITERS} writers`]: saves },
    values: { 'pages found per search': found / QUERIES.length / (times + 1) },
  };
}

/** The pages of all languages, in turns. One iterator, from which all writers take. */
function* pagesOf(count: number): Generator<CorpusPage> {
  const sources = LANGUAGES.map((language) => corpus(language, Math.ceil(count / LANGUAGES.length), WORDS));
  for (let at = 0; at < count; at++) {
    const next = sources[at % sources.length]?.next();
    if (next?.done === false) yield next.value;
  }
}

function judge(measured: ResultBySystem): readonly Line[] {
  const { samples = {}, values = {} } = measured.weft ?? {};
  const searches = samples['search'] ?? [];
  const saves = samples[`save with ${WRITERS} writers`] ?? [];
  const p95 = percentile(searches, 95);
  return [
    {
      what: 'search: p95',
      figure: `${ms(p95)} (p50 ${ms(percentile(searches, 50))}, longest ${ms(Math.max(...searches))})`,
      goal: `≤ ${GOAL_MS} ms`,
      isReached: p95 <= GOAL_MS,
    },
    {
      what: 'pages found per search, at most 1,000 counted',
      figure: median(values['pages found per search'] ?? []).toFixed(0),
      goal: '',
      isReached: null,
    },
    {
      what: `saving a text, ${WRITERS} at once: p50`,
      figure: `${ms(percentile(saves, 50))} (p95 ${ms(percentile(saves, 95))})`,
      goal: '',
      isReached: null,
    },
  ];
}
