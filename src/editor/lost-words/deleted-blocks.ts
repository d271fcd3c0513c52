// Tells you when somebody deletes a block in which you wrote: with your caret still in it, or within five minutes of your last
// edit there. The card at the place brings the block back with everything in it. Loads after the page has opened.
import * as Y from 'yjs';
import { blockWithId } from '../../document/blocks/duplicate-moves.ts';
import { FORMAT, elementsOfFile, parsePageFile } from '../../document/formats/page-json.ts';
import {
  deletedBlocks,
  deletedNode,
  deletedText,
  hasChangedBody,
  insertedBlocks,
} from '../../document/history/deleted-block.ts';
import { deletedAttribute, insertedRuns, lostTexts } from '../../document/lost-words/lost-texts.ts';
import { BLOCK, bodyOf } from '../../document/names.ts';
import { newBlockId } from '../../document/new-block-id.ts';
import { setAttribute } from '../../document/set-attribute.ts';
import type { Cancel } from '../../lib/cancel.ts';
import type { UserId } from '../../protocol/ids.ts';
import { SCHEMA_VERSION } from '../../protocol/limits.ts';
import type { Session } from '../../sync/session/session-api.ts';
import { remoteDeletions } from '../../sync/updates/remote-deletions.ts';
import { EDITOR_ORIGIN } from '../binding/binding-of.ts';
import { deleterOf, idsBefore, mergedDeletions } from './deletion-facts.ts';
import type { LostList, LostWordsEntry } from './lost-list.ts';

const RECENT_MS = 5 * 60_000;
/** More blocks than anybody edits in a sitting. */
const MAX_REMEMBERED = 2000;
/** A longer block comes back as words alone: localStorage has 5 MB for everything. */
const MAX_FILE_LENGTH = 60_000;
const MAX_WORDS_LENGTH = 60_000;

/** When this tab last wrote in a block, by the block's id, the oldest first. Outlives the editor (L6). */
const editsOf = new WeakMap<Session, Map<string, number>>();

type Found = {
  readonly block: Y.XmlElement;
  readonly id: string;
  readonly by: UserId | null;
  readonly after: readonly string[];
  readonly words: string;
};

/** `caretBlock`: the id of the block with the caret. */
export function watchDeletedBlocks(
  session: Session,
  doc: Y.Doc,
  list: LostList,
  caretBlock: () => string | null,
): Cancel {
  const edits = editsOf.get(session) ?? new Map<string, number>();
  editsOf.set(session, edits);
  let caretAt: string | null = null;
  // By the end of the transaction the editor has moved the caret out of a deleted block.
  const onBefore = ({ local }: Y.Transaction) => {
    if (!local) caretAt = caretBlock();
  };
  const onAfter = (transaction: Y.Transaction) => {
    if (transaction.local) rememberEdits(edits, transaction);
    const isRecent = (id: string) => {
      const at = edits.get(id);
      return at !== undefined && (id === caretAt || Date.now() - at < RECENT_MS);
    };
    const found = transaction.local ? [] : findDeleted(session, transaction, isRecent);
    const entries = entriesOf(found, transaction);
    const isBack = mayBringBack(transaction, list);
    if (entries.length === 0 && !isBack) return;
    queueMicrotask(() => {
      if (isBack) dropReturned(doc, list);
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
    if (!((type as unknown) instanceof Y.XmlText)) continue;
    let node: unknown = type;
    while (node instanceof Y.AbstractType && node.parent !== body) node = node.parent;
    if (node instanceof Y.XmlElement && node._item?.deleted === false) remember(edits, node);
  }
  // Pasted blocks are one's own too. A copy made by a move has the id of a block that was deleted with it.
  const moved = new Set(deletedBlocks(transaction).map((block) => deletedAttribute(block, 'id')));
  for (const block of insertedBlocks(transaction)) if (!moved.has(block.getAttribute('id'))) remember(edits, block);
}

function remember(edits: Map<string, number>, node: Y.XmlElement): void {
  const id: unknown = node.getAttribute('id');
  if (typeof id !== 'string') return;
  edits.delete(id);
  edits.set(id, Date.now());
  for (const oldest of edits.keys()) {
    if (edits.size <= MAX_REMEMBERED) return;
    edits.delete(oldest);
  }
}

function findDeleted(
  session: Session,
  transaction: Y.Transaction,
  isRecent: (id: string) => boolean,
): readonly Found[] {
  // An update without names, such as a whole state, does not tell who deleted what.
  const deletions = remoteDeletions(transaction);
  if (deletions === null) return [];
  const { doc } = transaction;
  let unseen: ReadonlySet<Y.XmlElement> | null = null;
  let inserted: string | null = null;
  return deletedBlocks(transaction).flatMap((block) => {
    const id = deletedAttribute(block, 'id');
    if (typeof id !== 'string' || !isRecent(id) || blockWithId(bodyOf(doc), id) !== null) return [];
    // Words that the deleter had not seen have a card of their own.
    unseen ??= new Set(lostTexts(transaction, mergedDeletions(deletions)).map((lost) => lost.block));
    if (unseen.has(block)) return [];
    const by = deleterOf(session, deletions, block);
    if (by === session.user) return [];
    const words = deletedText(block, transaction);
    inserted ??= insertedText(transaction);
    // The block was joined to another one, or became one of another kind.
    if (words === '' || inserted.includes(words)) return [];
    return [{ block, id, by, after: idsBefore(block), words }];
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
function entriesOf(found: readonly Found[], transaction: Y.Transaction): readonly LostWordsEntry[] {
  const groups = new Map<string, Found[]>();
  for (const one of found) {
    const place = one.after[0] ?? '';
    groups.set(place, [...(groups.get(place) ?? []), one]);
  }
  return Array.from(groups.values(), (group): LostWordsEntry | null => {
    const blocks = inOrder(group);
    const [first] = blocks;
    if (first === undefined) return null;
    const kind = deletedAttribute(first.block, 'kind');
    const file = JSON.stringify({
      format: FORMAT,
      version: SCHEMA_VERSION,
      title: '',
      document: null,
      body: blocks.map(({ block }) => deletedNode(block, transaction)),
    });
    return {
      key: newBlockId(),
      at: Date.now(),
      by: first.by,
      words: blocks
        .map(({ words }) => words)
        .join('\n')
        .slice(0, MAX_WORDS_LENGTH),
      kind: first.block.nodeName === BLOCK && typeof kind === 'string' ? kind : 'paragraph',
      after: [...first.after],
      deleted: { ids: blocks.map(({ id }) => id), file: file.length > MAX_FILE_LENGTH ? null : file },
    };
  }).filter((entry) => entry !== null);
}

/** All were behind the same block, so the first one has none of the others before it. */
function inOrder(blocks: readonly Found[]): readonly Found[] {
  if (blocks.length < 2) return blocks;
  const byBlock = new Map<unknown, Found>(blocks.map((one) => [one.block, one]));
  const ordered: Found[] = [];
  let item = blocks[0]?.block._item ?? null;
  while (item !== null && (item.left?.deleted ?? false)) item = item.left;
  for (; item !== null && ordered.length < blocks.length; item = item.right) {
    const one = item.content instanceof Y.ContentType ? byBlock.get(item.content.type) : undefined;
    if (one !== undefined) ordered.push(one);
  }
  return ordered;
}

const mayBringBack = (transaction: Y.Transaction, list: LostList): boolean =>
  list.get().some(({ deleted }) => deleted !== undefined) && hasChangedBody(transaction);

/** Drops cards whose blocks are back: their deletion was undone, or they were restored here. */
function dropReturned(doc: Y.Doc, list: LostList): void {
  const ids = new Set(
    bodyOf(doc)
      .toArray()
      .map((node) => (node instanceof Y.XmlElement ? node.getAttribute('id') : null)),
  );
  for (const { key, deleted } of list.get())
    if (deleted !== undefined && deleted.ids.every((id) => ids.has(id))) list.resolve(key);
}

/** Inserts the blocks at their place, as an edit like any other. False if they were too long to be kept whole. */
export function restoreDeleted(doc: Y.Doc, { deleted, after }: LostWordsEntry): boolean {
  const file = deleted?.file === undefined || deleted.file === null ? null : parsePageFile(deleted.file);
  if (file === null || !file.ok) return false;
  const body = bodyOf(doc);
  doc.transact(() => {
    const nodes = body.toArray();
    const ids = new Map(nodes.map((node, at) => [node instanceof Y.XmlElement ? node.getAttribute('id') : null, at]));
    const before = after.map((id) => ids.get(id)).find((at) => at !== undefined) ?? -1;
    const blocks = file.value.body.filter((node) => 'node' in node);
    const created = elementsOfFile(file.value);
    for (const [index, node] of blocks.entries()) {
      const { id } = node.attributes;
      const element = created[index];
      if (element !== undefined && typeof id === 'string' && ids.has(id)) setAttribute(element, 'id', newBlockId());
    }
    body.insert(before + 1, [...created]);
  }, EDITOR_ORIGIN);
  return true;
}
