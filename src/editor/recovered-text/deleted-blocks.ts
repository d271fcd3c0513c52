// Tells you when someone deletes a block, or a row or column of a table, in which you wrote: with your caret still in
// it, or within five minutes of your last edit there. The card at the place brings it back with everything in it, or
// its words alone if that is too much to store. Loads after the page has opened.
import { PAGE_FORMAT } from 'weft-document/formats/page-json.ts';
import { textOfDeleted } from 'weft-document/history/deleted-node.ts';
import { bodyOf } from 'weft-document/names.ts';
import { newBlockId } from 'weft-document/new-block-id.ts';
import {
  deletedParts,
  hasChangedParts,
  insertedBlocks,
  insertedParts,
  keyOfPart,
} from 'weft-document/recovered-text/deleted-part.ts';
import { blockOf, insertedRuns, lostTexts, mergedDeletions } from 'weft-document/recovered-text/lost-texts.ts';
import { idsBefore, kindOf, lineOf } from 'weft-document/recovered-text/place.ts';
import { copyOfPart } from 'weft-document/recovered-text/relocated-text.ts';
import type { UserId } from 'weft-sync/protocol/ids.ts';
import type { Session } from 'weft-sync/session/session-api.ts';
import { remoteDeletions } from 'weft-sync/updates/remote-deletions.ts';
import * as Y from 'yjs';
import type { Cancel } from '../../lib/cancel.ts';
import { onePer } from '../../lib/one-per.ts';
import { cutText } from '../../lib/text/cut-text.ts';
import { SCHEMA_VERSION } from '../../protocol/limits.ts';
import { deleterOf } from './deletion-facts.ts';
import { keptElements, keptLines } from './kept-parts.ts';
import type { RecoveredTextEntry, RecoveredTexts } from './recovered-texts.ts';
import { isBack } from './restore-deleted.ts';

const RECENT_MS = 5 * 60_000;
/** More blocks, rows and cells than anyone edits in one go. */
const MAX_REMEMBERED = 5000;
/** In characters. More than this comes back as words alone: localStorage has 5 MB for everything. */
const MAX_FILE_LENGTH = 60_000;
/** Further words are cut off. */
const MAX_WORDS_LENGTH = 60_000;

/**
 * When this tab last wrote in a block, row or cell, by its key, the oldest first. Outlives the editor (L6 in
 * src/sync/SPEC.md).
 */
const editsOf = onePer<Session, Map<string, number>>(() => new Map());

type Found = {
  readonly part: Y.XmlElement;
  readonly by: UserId | null;
  /** Ids of the blocks before it, the nearest first. */
  readonly after: readonly string[];
};

/** `caretPart`: the block or cell with the caret. */
export function watchDeletedBlocks(
  session: Session,
  doc: Y.Doc,
  list: RecoveredTexts,
  caretPart: () => Y.XmlElement | null,
): Cancel {
  const edits = editsOf(session);
  let caretIn: readonly string[] = [];
  // By the end of the transaction the editor has moved the caret out of a deleted block.
  const onBefore = ({ local }: Y.Transaction) => {
    if (!local) caretIn = keysAround(caretPart(), bodyOf(doc));
  };
  const onAfter = (transaction: Y.Transaction) => {
    if (transaction.local) rememberEdits(edits, transaction);
    const isRecent = (key: string) => {
      const at = edits.get(key);
      return at !== undefined && (caretIn.includes(key) || Date.now() - at < RECENT_MS);
    };
    const found = transaction.local ? [] : findDeleted(session, transaction, isRecent);
    const entries = entriesOf(found, transaction);
    const mayBringBack = hasChangedParts(transaction) && list.get().some(({ deleted }) => deleted !== undefined);
    if (entries.length === 0 && !mayBringBack) return;
    queueMicrotask(() => {
      // Their deletion was undone, or they were restored here.
      if (mayBringBack) for (const entry of list.get()) if (isBack(doc, entry)) list.resolve(entry.key);
      for (const entry of entries) list.add(entry);
    });
  };
  doc.on('beforeTransaction', onBefore);
  doc.on('afterTransaction', onAfter);
  return () => {
    doc.off('beforeTransaction', onBefore);
    doc.off('afterTransaction', onAfter);
  };
}

function rememberEdits(edits: Map<string, number>, transaction: Y.Transaction): void {
  const body = bodyOf(transaction.doc);
  for (const type of transaction.changed.keys()) {
    const holder: unknown = (type as unknown) instanceof Y.XmlText ? type.parent : null;
    if (holder instanceof Y.XmlElement) for (const key of keysAround(holder, body)) remember(edits, key);
  }
  // Pasted text counts as written by the person who pasted it. A copy that a move leaves has the key of what was deleted with it.
  const moved = new Set(deletedParts(transaction).map(keyOfPart));
  for (const part of insertedParts(transaction)) {
    const key = keyOfPart(part);
    if (key !== null && !moved.has(key)) remember(edits, key);
  }
}

/** The keys of a block or cell and of what it is in. */
function keysAround(part: Y.XmlElement | null, body: Y.XmlFragment): readonly string[] {
  const keys: string[] = [];
  for (let node: unknown = part; node instanceof Y.XmlElement && node._item?.deleted === false; node = node.parent) {
    const key = keyOfPart(node);
    if (key !== null) keys.push(key);
    if (node.parent === body) return keys;
  }
  return [];
}

function remember(edits: Map<string, number>, key: string): void {
  edits.delete(key);
  edits.set(key, Date.now());
  for (const oldest of edits.keys()) {
    if (edits.size <= MAX_REMEMBERED) return;
    edits.delete(oldest);
  }
}

function findDeleted(
  session: Session,
  transaction: Y.Transaction,
  isRecent: (key: string) => boolean,
): readonly Found[] {
  // An update without names, such as a whole state, does not tell who deleted what.
  const deletions = remoteDeletions(transaction);
  if (deletions === null) return [];
  const { doc } = transaction;
  let unseen: ReadonlySet<Y.XmlElement> | null = null;
  let inserted: string | null = null;
  return deletedParts(transaction).flatMap((part) => {
    const key = keyOfPart(part);
    if (key === null || !isRecent(key) || copyOfPart(part, key, doc) !== null) return [];
    // Words that the deleter had not seen have a card of their own.
    unseen ??= new Set(lostTexts(transaction, mergedDeletions(deletions)).map((lost) => lost.part));
    if (unseen.has(part)) return [];
    const by = deleterOf(session, deletions, part);
    if (by === session.user) return [];
    const words = textOfDeleted(part, transaction);
    inserted ??= insertedText(transaction);
    // The block was joined to another one, or became one of another kind.
    if (words === '' || (part.parent === bodyOf(doc) && inserted.includes(words))) return [];
    return [{ part, by, after: idsBefore(blockOf(bodyOf(doc), part) ?? part) }];
  });
}

function insertedText(transaction: Y.Transaction): string {
  const texts: string[] = [];
  for (const type of transaction.changed.keys()) {
    const text: unknown = type;
    if (text instanceof Y.XmlText && text._item?.deleted === false)
      texts.push(...insertedRuns(text, transaction).map((run) => run.text));
  }
  for (const block of insertedBlocks(transaction))
    for (const child of block.toArray()) if (child instanceof Y.XmlText) texts.push(child.toJSON());
  return texts.join('\n');
}

/** Neighbours share a card. */
function entriesOf(found: readonly Found[], transaction: Y.Transaction): readonly RecoveredTextEntry[] {
  const groups = Map.groupBy(found, ({ part, after }) => `${lineOf(part).line ?? ''} ${after[0] ?? ''}`);
  return Array.from(groups.values(), (group): RecoveredTextEntry | null => {
    const [first] = group;
    if (first === undefined) return null;
    const { line } = lineOf(first.part);
    const parts = group.map(({ part }) => part);
    const { ids, words, body, ...lines } =
      line === undefined ? keptElements(parts, transaction) : keptLines(parts, line, transaction);
    const file = JSON.stringify({ format: PAGE_FORMAT, version: SCHEMA_VERSION, title: '', document: null, body });
    return {
      key: newBlockId(),
      at: Date.now(),
      by: first.by,
      words: cutText(words, MAX_WORDS_LENGTH),
      kind: kindOf(first.part),
      after: [...first.after],
      ...lineOf(first.part),
      deleted: { ids: [...ids], file: file.length > MAX_FILE_LENGTH ? null : file, ...lines },
    };
  }).filter((entry) => entry !== null);
}
