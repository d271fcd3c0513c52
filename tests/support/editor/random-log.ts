// A log that several people wrote at once, from random numbers: what they do to blocks, texts, marks and tables, when they send
// it as a row, and when they receive the others' rows.
import fc from 'fast-check';
import type { DetachedBlock } from 'weft-document/blocks/detached-block.ts';
import { elementsOfBlocks, fillPage } from 'weft-document/body/fill-page.ts';
import { bodyOf, titleOf } from 'weft-document/names.ts';
import { setAttribute } from 'weft-document/set-attribute.ts';
import { type SessionId, parseSessionId } from 'weft-sync/protocol/ids.ts';
import type { Row } from 'weft-sync/protocol/row.ts';
import { mergeUpdates } from 'weft-sync/updates/merge-updates.ts';
import { newDoc } from 'weft-sync/updates/new-doc.ts';
import * as Y from 'yjs';

export function sessionOf(person: number): SessionId {
  const session = parseSessionId(`00000000-0000-4000-8000-00000000000${person + 1}`);
  if (session === null) throw new Error('malformed session');
  return session;
}

/** Someone with a copy of the page. */
export class Writer {
  readonly doc: Y.Doc;
  readonly person: number;
  #unsent: Uint8Array[] = [];
  #n = 0;
  #received = 0;

  constructor(person: number) {
    this.person = person;
    this.doc = newDoc(2000 + person);
    bodyOf(this.doc);
    this.doc.on('update', (update: Uint8Array, _origin: unknown, _doc: Y.Doc, { local }: Y.Transaction) => {
      if (local) this.#unsent.push(update);
    });
  }

  /** Everything since the last time becomes the log's next row. */
  send(log: Row[], at = log.length * 1000): void {
    if (this.#unsent.length === 0) return;
    const nFrom = this.#n + 1;
    this.#n += this.#unsent.length;
    const update = new Uint8Array(mergeUpdates(this.#unsent.map((one) => new Uint8Array(one))));
    this.#unsent = [];
    log.push({
      seq: log.length + 1,
      at,
      session: sessionOf(this.person),
      clientId: this.doc.clientID,
      nFrom,
      nTo: this.#n,
      update,
      dependencies: [],
    });
  }

  /** A row without edits of its own that brings `row` as its only dependency. */
  relay({ seq, at = 0, ...part }: Row): Row {
    const own = { session: sessionOf(this.person), clientId: this.doc.clientID, nFrom: 0, nTo: 0 };
    return { ...own, seq, at, update: new Uint8Array(), dependencies: [part] };
  }

  receive(log: readonly Row[]): void {
    for (const { update, session } of log.slice(this.#received))
      if (session !== sessionOf(this.person)) Y.applyUpdate(this.doc, update, 'row');
    this.#received = log.length;
  }
}

/** Each takes random numbers, so that any sequence of them is valid. */
export const anyStep = fc.record({
  person: fc.nat(2),
  what: fc.nat(12),
  at: fc.nat(),
  to: fc.nat(),
  text: fc.string({ unit: 'grapheme-ascii', maxLength: 8 }),
  sends: fc.boolean(),
  receives: fc.boolean(),
});
export type Step = typeof anyStep extends fc.Arbitrary<infer T> ? T : never;

export function writeLog(blocks: readonly DetachedBlock[], steps: readonly Step[]): readonly Row[] {
  const log: Row[] = [];
  const people = [0, 1, 2].map((person) => new Writer(person));
  const [first] = people;
  if (first !== undefined) fillPage(first.doc, 'A page', elementsOfBlocks(blocks));
  first?.send(log);
  for (const { person, sends, receives, ...step } of steps) {
    const writer = people[person];
    if (writer === undefined) continue;
    if (receives) {
      // Rows of others build on what is in the log, so own edits go first.
      writer.send(log);
      writer.receive(log);
    }
    edit(writer.doc, step);
    if (sends) writer.send(log);
  }
  for (const writer of people) writer.send(log);
  return log;
}

function edit(doc: Y.Doc, { what, at, to, text }: Pick<Step, 'what' | 'at' | 'to' | 'text'>): void {
  const body = bodyOf(doc);
  const block = body.length === 0 ? null : body.get(at % body.length);
  const inner = block instanceof Y.XmlElement ? firstText(block) : null;
  doc.transact(() => {
    if (what === 0 && block !== null)
      body.delete(at % body.length, 1 + (to % Math.min(3, body.length - (at % body.length))));
    else if (what === 1 && block instanceof Y.XmlElement) {
      const copy = block.clone();
      body.delete(at % body.length, 1);
      body.insert(to % (body.length + 1), [copy]);
    } else if (what === 2) body.insert(at % (body.length + 1), [new Y.XmlElement('divider')]);
    else if (what === 3 && block instanceof Y.XmlElement)
      setAttribute(block, ['kind', 'indent', 'x'][to % 3] ?? 'x', text);
    else if (what <= 6 && inner !== null)
      inner.insert(
        between(inner, at % (inner.length + 1)),
        text === '' ? 'a' : text,
        what === 4 ? {} : { bold: to % 2 === 0 ? {} : null },
      );
    else if (what === 7 && inner !== null && inner.length > 0) {
      const from = between(inner, at % inner.length);
      inner.delete(from, between(inner, from + 1) - from);
    } else if (what === 8 && inner !== null && inner.length > 0)
      inner.format(0, between(inner, 1 + (to % inner.length)), { italic: at % 2 === 0 ? {} : null });
    else if (what === 9) titleOf(doc).insert(0, text);
    else if (what === 10 && inner !== null && block instanceof Y.XmlElement && inner.length > 1) {
      const half = between(inner, 1 + (to % (inner.length - 1)));
      const second = block.clone();
      body.insert((at % body.length) + 1, [second]);
      setAttribute(second, 'id', `split-${to}`);
      firstText(second)?.delete(0, half);
      inner.delete(half, inner.length - half);
    } else if (what === 11) {
      const loose = new Y.XmlText();
      loose.insert(0, text);
      body.insert(at % (body.length + 1), [loose]);
    } else if (what === 12 && block instanceof Y.XmlElement && to % 2 === 0) block.removeAttribute('kind');
  });
}

/**
 * The index, or the next one if it is in the middle of a surrogate pair: Yjs replaces cut pairs, and the editor cuts none (T11).
 */
function between(text: Y.XmlText, index: number): number {
  const delta: readonly { readonly insert: unknown }[] = text.toDelta();
  const characters = delta.map(({ insert }) => (typeof insert === 'string' ? insert : ' ')).join('');
  return /[\uD800-\uDBFF]/.test(characters.charAt(index - 1)) ? Math.min(index + 1, characters.length) : index;
}

function firstText(element: Y.XmlElement): Y.XmlText | null {
  for (const child of element.toArray()) {
    if (child instanceof Y.XmlText) return child;
    const inner = child instanceof Y.XmlElement ? firstText(child) : null;
    if (inner !== null) return inner;
  }
  return null;
}
