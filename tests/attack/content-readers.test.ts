// Code that reads a page without showing it (lists and search, exports, word counts, snapshots), on pages that a hostile
// editor has written into. Nothing throws, and in `npm run attack` nothing takes long at a time.
import { expect, test } from 'vitest';
import { outlineOf } from 'weft-document/blocks/outline.ts';
import { attachmentsOf } from 'weft-document/body/attachments-of.ts';
import { bodyText } from 'weft-document/body/body-text.ts';
import { parseBody } from 'weft-document/body/parse-body.ts';
import { textCounts } from 'weft-document/body/text-counts.ts';
import { pageToJson, parsePageFile } from 'weft-document/formats/page-json.ts';
import { pageToText } from 'weft-document/formats/page-to-text.ts';
import { htmlDocument } from 'weft-document/html/html-document.ts';
import { titleText } from 'weft-document/title.ts';
import type { Row } from 'weft-sync/protocol/row.ts';
import { Replica } from 'weft-sync/state/replica.ts';
import { seededRandom } from 'weft-sync/testing/seeded-random.ts';
import { newDoc } from 'weft-sync/updates/new-doc.ts';
import * as Y from 'yjs';
import { type HostileEdit, goodPage, hostilePage } from './support/hostile-page.ts';
import { IS_LONG, msIfLong } from './support/is-long.ts';

const PAGES = IS_LONG ? 2_000 : 10;
const MAX_BUSY_MS = 200;
const TRIES = 3;

function pageOf(edits: readonly HostileEdit[]): Y.Doc {
  const rows: Row[] = [];
  const add = (part: Omit<Row, 'seq' | 'dependencies' | 'nTo'>) =>
    rows.push({ ...part, nTo: part.nFrom, seq: rows.length + 1, dependencies: [] });
  add({ session: seededRandom(99).session(), clientId: 1, nFrom: 1, update: goodPage() });
  for (const [at, { clientId, updates }] of edits.entries()) {
    const session = seededRandom(at).session();
    for (const [index, update] of updates.entries()) add({ session, clientId, nFrom: index + 1, update });
  }
  const doc = newDoc();
  new Replica(doc, null).take(rows);
  return doc;
}

/** Each yields between its steps. */
const READERS: Readonly<Record<string, (doc: Y.Doc) => Iterable<unknown>>> = {
  'text for lists and search': (doc) => [titleText(doc), bodyText(doc), attachmentsOf(doc)],
  'word counts': (doc) => textCounts(parseBody(doc)),
  outline: (doc) => outlineOf(parseBody(doc)),
  'page file': (doc) => pageToJson(doc, null),
  'plain text': (doc) => pageToText(titleText(doc), parseBody(doc)),
  html: (doc) => htmlDocument(titleText(doc), parseBody(doc), {}),
  snapshot: (doc) => [Y.encodeStateAsUpdateV2(doc)],
};

test.each(Array.from({ length: PAGES }, (_, at) => at + 1))('what reads hostile page %i', (seed) => {
  const edits = hostilePage(seed);
  const about = edits.map((edit) => edit.about);
  for (const [name, read] of Object.entries(READERS)) {
    let shortest = Infinity;
    for (let at = 0; at < TRIES && shortest > MAX_BUSY_MS; at++) {
      const doc = pageOf(edits);
      shortest = Math.min(shortest, msIfLong(longestStep(() => read(doc))));
    }
    expect([name, shortest < MAX_BUSY_MS ? 0 : shortest, about]).toEqual([name, 0, about]);
  }
  const file = parsePageFile([...pageToJson(pageOf(edits), null)].join(''));
  expect([file.ok, about]).toEqual([true, about]);
});

/** Milliseconds of this thread, not of the clock, so that other programs do not count. */
function longestStep(read: () => Iterable<unknown>): number {
  const spent = () => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1_000;
  };
  let before = spent();
  let longest = 0;
  const step = () => {
    const now = spent();
    longest = Math.max(longest, now - before);
    before = now;
  };
  for (const _piece of read()) step();
  step();
  return longest;
}
