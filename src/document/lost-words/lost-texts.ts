// Which words of one's own went with a block that somebody else took away and had not seen them. Yjs says it exactly:
// whoever deletes a block names everything in it that they had; what dies with it unnamed they had not.
import * as Y from 'yjs';
import { bodyOf } from '../names.ts';

/** Client → ranges, as an update names them. */
export type DeletedRanges = ReadonlyMap<number, readonly { readonly clock: number; readonly len: number }[]>;

/** A stretch of lost words; `at` is its place in `seen`. */
export type LostRun = { readonly at: number; readonly text: string };

export type LostText = {
  /** The child of the body that went, and its text that held the words. */
  readonly block: Y.XmlElement;
  readonly text: Y.XmlText;
  /** What stood there as far as whoever deleted it knew. */
  readonly seen: string;
  readonly runs: readonly LostRun[];
  /** `seen` and the runs together, as it stood here; for each letter whether it is lost. */
  readonly letters: readonly { readonly letter: string; readonly isLost: boolean }[];
};

/** Of a transaction from outside, while its listeners run: later Yjs has forgotten what was deleted. */
export function lostTexts(transaction: Y.Transaction, named: DeletedRanges): readonly LostText[] {
  const { doc, deleteSet } = transaction;
  const mine = deleteSet.clients.get(doc.clientID);
  if (transaction.local || mine === undefined) return [];
  const texts = new Set<Y.XmlText>();
  Y.iterateDeletedStructs(transaction, deleteSet, (struct) => {
    if (!(struct instanceof Y.Item) || struct.id.client !== doc.clientID) return;
    const { parent, content, id } = struct;
    if (!(content instanceof Y.ContentString) || !(parent instanceof Y.XmlText)) return;
    if (!isNamed(named, id.client, id.clock, struct.length)) texts.add(parent);
  });
  return [...texts].flatMap((text) => {
    const block = blockOf(bodyOf(doc), text);
    return block === null ? [] : { block, text, ...readLost(text, transaction, named) };
  });
}

/** The text before the transaction, in two: what was named as deleted, and of the rest what is one's own. */
function readLost(text: Y.XmlText, { doc, deleteSet, beforeState }: Y.Transaction, named: DeletedRanges) {
  let seen = '';
  const runs: { at: number; text: string }[] = [];
  const letters: { letter: string; isLost: boolean }[] = [];
  for (let item = text._start; item !== null; item = item.right) {
    const { id, content } = item;
    const wasThere = id.clock < (beforeState.get(id.client) ?? 0) && Y.isDeleted(deleteSet, id);
    if (!wasThere || !(content instanceof Y.ContentString)) continue;
    for (let at = 0; at < content.str.length; at++) {
      const letter = content.str[at] ?? '';
      const last = runs.at(-1);
      const isSeen = isNamed(named, id.client, id.clock + at, 1);
      // What a third person wrote here is theirs to rescue.
      if (!isSeen && id.client !== doc.clientID) continue;
      letters.push({ letter, isLost: !isSeen });
      if (isSeen) seen += letter;
      else if (last?.at === seen.length) last.text += letter;
      else runs.push({ at: seen.length, text: letter });
    }
  }
  return { seen, runs, letters };
}

/** The lost letters with the rest of their words, as the person remembers them; stretches apart are joined by dots. */
export function lostWordsOf({ letters }: Pick<LostText, 'letters'>): string {
  const text = letters.map(({ letter }) => letter).join('');
  const isLost = (from: number, to: number) => letters.slice(from, to).some((one) => one.isLost);
  // A stretch is words that each hold a lost letter, and what stands between them.
  const stretches: { from: number; to: number }[] = [];
  for (const { index, 0: word } of text.matchAll(/\S+/gu)) {
    const to = index + word.length;
    if (!isLost(index, to)) continue;
    const last = stretches.at(-1);
    if (last !== undefined && /^\s*$/u.test(text.slice(last.to, index))) last.to = to;
    else stretches.push({ from: index, to });
  }
  return stretches.map(({ from, to }) => text.slice(from, to)).join(' … ');
}

function isNamed(named: DeletedRanges, client: number, clock: number, len: number): boolean {
  return named.get(client)?.some((range) => range.clock <= clock && clock + len <= range.clock + range.len) === true;
}

/** The child of the body that holds a text. */
function blockOf(body: Y.XmlFragment, text: Y.XmlText): Y.XmlElement | null {
  let node: unknown = text;
  while (node instanceof Y.AbstractType && node.parent !== body) node = node.parent;
  return node instanceof Y.XmlElement ? node : null;
}

/** An attribute of a node that is deleted. */
export function deletedAttribute(node: Y.XmlElement, name: string): unknown {
  const content: unknown = node._map.get(name)?.content;
  return content instanceof Y.ContentAny ? content.arr.at(-1) : undefined;
}

/** The nearest child of the body before a deleted one that is still there; what a join leaves its words in. */
export function previousLivingBlock(block: Y.XmlElement): Y.XmlElement | null {
  for (let item = block._item?.left ?? null; item !== null; item = item.left) {
    if (item.deleted || !(item.content instanceof Y.ContentType)) continue;
    const { type } = item.content;
    if (type instanceof Y.XmlElement) return type;
  }
  return null;
}

/** What a transaction wrote into a text: its place in the text, and the words. Stretches that touch are one. */
export function insertedRuns(text: Y.XmlText, { beforeState }: Y.Transaction): readonly LostRun[] {
  const written: { at: number; text: string }[] = [];
  let at = 0;
  for (let item = text._start; item !== null; item = item.right) {
    if (item.deleted || !(item.content instanceof Y.ContentString)) continue;
    const { str } = item.content;
    if (item.id.clock >= (beforeState.get(item.id.client) ?? 0)) {
      const last = written.at(-1);
      if (last !== undefined && last.at + last.text.length === at) last.text += str;
      else written.push({ at, text: str });
    }
    at += str.length;
  }
  return written;
}
