// Finds words of a person that disappeared with a block, row or cell which someone else deleted without having seen them. Yjs
// tells exactly: the update of the deletion names everything in the block that its author had. Words that go without
// being named were unseen.
import * as Y from 'yjs';
import { bodyOf } from '../names.ts';
import { type PathInPart, deletedPartAround, keyOfPart } from './deleted-part.ts';

/** Client id → ranges, as in an update. */
export type DeletedRanges = ReadonlyMap<number, readonly { readonly clock: number; readonly len: number }[]>;

/** A run of lost text; `at` is its offset in `seen`. */
export type LostRun = { readonly at: number; readonly text: string };

export type LostText = {
  /** The child of the body around the words. It is still there if only a row or cell of it was deleted. */
  readonly block: Y.XmlElement;
  /** The deleted block, row or cell. */
  readonly part: Y.XmlElement;
  /** Its `keyOfPart` while it could be read. */
  readonly key: string | null;
  /** The place in the part of the text that held the words. */
  readonly path: PathInPart;
  /** The text as the person who deleted it knew it. */
  readonly seen: string;
  readonly runs: readonly LostRun[];
  /** The Yjs id of the first lost character: tells this loss from all others. */
  readonly first: string;
  /** `seen` and the lost runs merged, as the text stood here, with a flag for each lost character. */
  readonly characters: readonly { readonly character: string; readonly isLost: boolean }[];
};

/**
 * Returns what `client` lost. Call this for a remote transaction while its listeners run. Afterwards Yjs has dropped the deleted
 * content.
 */
export function lostTexts(
  transaction: Y.Transaction,
  named: DeletedRanges,
  client: number = transaction.doc.clientID,
): readonly LostText[] {
  const { doc, deleteSet } = transaction;
  if (transaction.local || !deleteSet.clients.has(client)) return [];
  const texts = new Set<Y.XmlText>();
  Y.iterateDeletedStructs(transaction, deleteSet, (struct) => {
    if (!(struct instanceof Y.Item) || struct.id.client !== client) return;
    const { parent, content, id } = struct;
    if (!(content instanceof Y.ContentString) || !(parent instanceof Y.XmlText)) return;
    if (!isNamed(named, id.client, id.clock, struct.length)) texts.add(parent);
  });
  return [...texts].flatMap((text) => {
    const deleted = deletedPartAround(text, transaction);
    const block = deleted === null ? null : blockOf(bodyOf(doc), deleted.part);
    return deleted === null || block === null
      ? []
      : { block, ...deleted, key: keyOfPart(deleted.part), ...readLost(text, transaction, named, client) };
  });
}

/** Splits the text before the transaction into what the deletion named and what the client wrote beyond that. */
function readLost(text: Y.XmlText, { deleteSet, beforeState }: Y.Transaction, named: DeletedRanges, client: number) {
  let seen = '';
  let first = '';
  const runs: { at: number; text: string }[] = [];
  const characters: { character: string; isLost: boolean }[] = [];
  for (let item = text._start; item !== null; item = item.right) {
    const { id, content } = item;
    // Characters may arrive after the deletion, and go at once.
    const wasThere = id.client === client || id.clock < (beforeState.get(id.client) ?? 0);
    if (!wasThere || !Y.isDeleted(deleteSet, id) || !(content instanceof Y.ContentString)) continue;
    for (let at = 0; at < content.str.length; at++) {
      const character = content.str[at] ?? '';
      const last = runs.at(-1);
      const isSeen = isNamed(named, id.client, id.clock + at, 1);
      // Unseen text of a third person is theirs to recover.
      if (!isSeen && id.client !== client) continue;
      if (!isSeen && first === '') first = `${id.client}.${id.clock + at}`;
      characters.push({ character, isLost: !isSeen });
      if (isSeen) seen += character;
      else if (last?.at === seen.length) last.text += character;
      else runs.push({ at: seen.length, text: character });
    }
  }
  return { seen, runs, first, characters };
}

/** The lost characters, completed to whole words for the person to recognise. Separate ranges are joined by dots. */
export function recoveredTextOf({ characters }: Pick<LostText, 'characters'>): string {
  const text = characters.map(({ character }) => character).join('');
  const isLost = (from: number, to: number) => characters.slice(from, to).some((one) => one.isLost);
  // A range consists of words that each contain a lost character, and the spaces between them.
  const ranges: { from: number; to: number }[] = [];
  for (const { index, 0: word } of text.matchAll(/\S+/gu)) {
    const to = index + word.length;
    if (!isLost(index, to)) continue;
    const last = ranges.at(-1);
    if (last !== undefined && /^\s*$/u.test(text.slice(last.to, index))) last.to = to;
    else ranges.push({ from: index, to });
  }
  return ranges.map(({ from, to }) => text.slice(from, to)).join(' … ');
}

/** All that the updates of a transaction name. */
export function mergedDeletions(deletions: readonly { readonly deletes: DeletedRanges }[]): DeletedRanges {
  const all = new Map<number, { readonly clock: number; readonly len: number }[]>();
  for (const { deletes } of deletions) {
    for (const [client, ranges] of deletes) all.set(client, [...(all.get(client) ?? []), ...ranges]);
  }
  return all;
}

/** The author of the update that names this struct; null if none does, or it is not known. */
export const whoDeleted = <Author>(
  deletions: readonly { readonly by: Author | null; readonly deletes: DeletedRanges }[],
  { client, clock }: Y.ID,
): Author | null => deletions.find(({ deletes }) => isNamed(deletes, client, clock, 1))?.by ?? null;

/** The deletion names all of these characters. */
export function isNamed(named: DeletedRanges, client: number, clock: number, len: number): boolean {
  return named.get(client)?.some((range) => range.clock <= clock && clock + len <= range.clock + range.len) === true;
}

/** The child of the body around a part, or the part itself. */
export function blockOf(body: Y.XmlFragment, part: Y.XmlElement): Y.XmlElement | null {
  let node: unknown = part;
  while (node instanceof Y.AbstractType && node.parent !== body) node = node.parent;
  return node instanceof Y.XmlElement ? node : null;
}

/** The nearest remaining child of the body before a deleted one. Joining two blocks puts their text there. */
export function previousLivingBlock(block: Y.XmlElement): Y.XmlElement | null {
  for (let item = block._item?.left ?? null; item !== null; item = item.left) {
    if (item.deleted || !(item.content instanceof Y.ContentType)) continue;
    const { type } = item.content;
    if (type instanceof Y.XmlElement) return type;
  }
  return null;
}

/** The pieces that a transaction inserted into a text: offset and content. Adjacent pieces are merged. */
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
