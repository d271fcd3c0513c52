// Documents with their histories: recorded keystrokes (github.com/josephg/editing-traces, CC BY 4.0), if they are in
// `../shared/data` beside the checkout, and a synthetic one made from a seed. Every operation (one insertion or deletion)
// is one Yjs transaction.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import * as v from 'valibot';
import { bodyOf } from 'weft-document/names.ts';
import { blankSeed } from 'weft-document/seed.ts';
import { newDoc } from 'weft-sync/updates/new-doc.ts';
import * as Y from 'yjs';
import { ROOT } from '../scripts/root.mjs';
import { prng } from '../src/lib/prng.ts';
import { textOf } from './typing.ts';

/** The place of a history's text in a document. `seed` is the document's first update and not part of the history. */
export type Place = { readonly seed: Uint8Array | null; readonly textOf: (doc: Y.Doc) => Y.Text };
const BARE: Place = { seed: null, textOf };
/** The one block of a new page. */
export const BLANK_PAGE: Place = {
  seed: blankSeed(),
  textOf: (doc) => {
    const block = bodyOf(doc).get(0);
    const text = block instanceof Y.XmlElement ? block.get(0) : null;
    if (!(text instanceof Y.XmlText)) throw new Error('the page is not blank');
    return text;
  },
};

type Patch = readonly [at: number, deleted: number, inserted: string];
export type History = {
  readonly name: string;
  readonly doc: Y.Doc;
  /** One Yjs update (V1) per operation, one author after the other. */
  readonly updates: readonly Uint8Array[];
};

const patch = v.tuple([v.number(), v.number(), v.string()]);
const trace = v.object({
  startContent: v.optional(v.string(), ''),
  endContent: v.string(),
  txns: v.array(
    v.object({
      parents: v.optional(v.array(v.number())),
      agent: v.optional(v.number(), 0),
      patches: v.array(patch),
    }),
  ),
});
type Trace = v.InferOutput<typeof trace>;

const DATA = join(ROOT, '../shared/data');
const NAMES = ['friendsforever', 'rustcode'] as const;
export const HAS_RECORDED_HISTORIES = existsSync(DATA);
export const SYNTHETIC_OPERATIONS = 260_000;
const DELETED_SHARE = 0.3;
const DELETED_RUN = 6;
/** Client ids are usually this large. It matters because every update contains them. */
const FIRST_CLIENT_ID = 3_000_000_000;

/** The traces whose files are available. */
export const recordedHistories = (place: Place = BARE): readonly History[] =>
  NAMES.map((name) => [name, join(DATA, `${name}.json.gz`)] as const)
    .filter(([, file]) => existsSync(file))
    .map(([name, file]) => replay(name, v.parse(trace, JSON.parse(gunzipSync(readFileSync(file)).toString())), place));

/** A long page's history: 70 % insertions, the rest deleted in runs; the caret stays for a while, then jumps. */
export function syntheticHistory(operations = SYNTHETIC_OPERATIONS, place: Place = BARE): History {
  const random = prng(20_261_121);
  const [doc, updates] = recordingDoc(FIRST_CLIENT_ID, place);
  const text = place.textOf(doc);
  const words = Array.from({ length: 2_000 }, () => word(random));
  let caret = 0;
  let typing = '';
  let takingBack = 0;
  for (let done = 0; done < operations; done++) {
    if (random() < 0.003) caret = Math.floor(random() * (text.length + 1));
    if (random() < DELETED_SHARE / DELETED_RUN) takingBack += 2 * DELETED_RUN * random();
    if (caret > 0 && takingBack >= 1) {
      takingBack--;
      caret--;
      text.delete(caret, 1);
      continue;
    }
    // Some words are frequent; otherwise a deflated page would be larger than real pages.
    if (typing === '') typing = `${words[Math.floor(words.length * random() ** 3)] ?? ''} `;
    text.insert(caret, typing.slice(0, 1));
    typing = typing.slice(1);
    caret++;
  }
  return { name: `synthetic, ${operations} operations`, doc, updates };
}

function replay(name: string, { startContent, endContent, txns }: Trace, place: Place): History {
  const agents = new Map<
    number,
    { readonly doc: Y.Doc; readonly own: readonly Uint8Array[]; readonly has: Set<number> }
  >();
  const updatesOf: (readonly Uint8Array[])[] = [];
  const agentOf = (agent: number) => {
    const known = agents.get(agent);
    if (known !== undefined) return known;
    const [doc, own] = recordingDoc(FIRST_CLIENT_ID + agent, place);
    const made = { doc, own, has: new Set<number>() };
    agents.set(agent, made);
    return made;
  };
  if (startContent !== '') place.textOf(agentOf(0).doc).insert(0, startContent);
  let start = agentOf(0).own.length;
  txns.forEach(({ agent, parents = [], patches }, index) => {
    const { doc, own, has } = agentOf(agent);
    applyParents(parents, doc, has, txns, updatesOf);
    start = own.length;
    for (const one of patches) apply(place.textOf(doc), one);
    updatesOf.push(own.slice(start));
    has.add(index);
  });
  const doc = newDoc();
  if (place.seed !== null) Y.applyUpdate(doc, place.seed);
  const updates = [...agentOf(0).own.slice(0, startContent === '' ? 0 : 1), ...updatesOf.flat()];
  Y.transact(doc, () => updates.forEach((update) => Y.applyUpdate(doc, update)));
  if (place.textOf(doc).toString() !== endContent) throw new Error(`${name} does not end as its file says`);
  return { name, doc, updates };
}

/** Applies the changes that an author had seen before a change: its parents and all that those build on. */
function applyParents(
  parents: readonly number[],
  doc: Y.Doc,
  has: Set<number>,
  txns: Trace['txns'],
  updatesOf: readonly (readonly Uint8Array[])[],
): void {
  const missing: number[] = [];
  const waiting = [...parents];
  for (let index = waiting.pop(); index !== undefined; index = waiting.pop()) {
    if (has.has(index)) continue;
    has.add(index);
    missing.push(index);
    waiting.push(...(txns[index]?.parents ?? []));
  }
  for (const index of missing.toSorted((a, b) => a - b)) {
    for (const update of updatesOf[index] ?? []) Y.applyUpdate(doc, update);
  }
}

function apply(text: Y.Text, [at, deleted, inserted]: Patch): void {
  if (deleted > 0) text.delete(at, deleted);
  if (inserted !== '') text.insert(at, inserted);
}

function recordingDoc(clientId: number, { seed }: Place): readonly [Y.Doc, readonly Uint8Array[]] {
  const doc = newDoc(clientId);
  if (seed !== null) Y.applyUpdate(doc, seed);
  const own: Uint8Array[] = [];
  doc.on('update', (update: Uint8Array, _origin: unknown, _doc: Y.Doc, transaction: Y.Transaction) => {
    if (transaction.local) own.push(update);
  });
  return [doc, own];
}

function word(random: () => number): string {
  const length = 2 + Math.floor(8 * random());
  return Array.from({ length }, () => 'etaoinshrdlucmfwypvbgk'.charAt(Math.floor(22 * random() ** 1.7))).join('');
}
