// The rescue of lost words. When somebody's edit takes a block away in which this person wrote what its author had not
// seen, the words go where the block's words went; where they went nowhere, a card at the place keeps them.
import { Extension } from '@tiptap/core';
import { Plugin } from '@tiptap/pm/state';
import * as Y from 'yjs';
import { removeOwnDuplicates } from '../../document/blocks/duplicate-moves.ts';
import {
  type JoinedText,
  resolveJoinedText,
  findJoinedText,
  findMovedText,
  insertLostRuns,
} from '../../document/lost-words/relocated-text.ts';
import { type LostText, deletedAttribute, lostTexts, lostWordsOf } from '../../document/lost-words/lost-texts.ts';
import { BLOCK, bodyOf } from '../../document/names.ts';
import { newBlockId } from '../../document/new-block-id.ts';
import { setAttribute } from '../../document/set-attribute.ts';
import type { UserId } from '../../protocol/ids.ts';
import type { Session } from '../../sync/session/session-api.ts';
import { type AuthoredDeletions, remoteDeletions } from '../../sync/updates/remote-deletions.ts';
import { EDITOR_ORIGIN } from '../binding/binding-of.ts';
import { caretFollowsBlock } from '../carets/caret-follows-block.ts';
import { type Lost, LostList } from './lost-list.ts';
import { lostPlaces } from './lost-places.ts';
import { deviceShelf } from './lost-shelf.ts';
import { touchedNodes } from '../binding/touched-nodes.ts';

/** Of what is put back without being asked: no undo takes it away again. */
const RESCUE_ORIGIN = { origin: 'rescue' } as const;
/** So many blocks before the place are remembered: one of them will still be there. */
const REMEMBERED = 12;

/** Lists outlive the editor that filled them (L6); each person's words are their own on a device of several. */
const lists = new WeakMap<Session, LostList>();

export function lostListOf(session: Session): LostList {
  const known = lists.get(session);
  if (known !== undefined) return known;
  const made = new LostList(session.documentId, deviceShelf(session.user));
  lists.set(session, made);
  return made;
}

export const lostWords = (session: Session, doc: Y.Doc) =>
  Extension.create({
    name: 'lostWords',
    priority: 400,
    addProseMirrorPlugins: () => [
      caretFollowsBlock(),
      lostPlaces(lostListOf(session)),
      new Plugin({ view: () => ({ destroy: watch(session, doc) }) }),
    ],
  });

/** What is lost, as long as its transaction's listeners run. */
type Found = LostText & {
  readonly id: string | null;
  readonly kind: string;
  readonly by: UserId | null;
  readonly after: readonly string[];
  readonly joined: JoinedText | null;
};

function watch(session: Session, doc: Y.Doc): () => void {
  const list = lostListOf(session);
  let isOver = false;
  const onTransaction = (transaction: Y.Transaction) => {
    const found = transaction.local ? [] : find(session, transaction);
    const madeIds = comesFromElsewhere(transaction) ? idsOfNew(doc, transaction) : new Set();
    if (found.length === 0 && madeIds.size === 0) return;
    // Not from within what brings it: the session has to know first what this builds on (I4).
    queueMicrotask(() => {
      if (isOver) return;
      if (session.getView().editable) removeOwnDuplicates(doc, doc.clientID, madeIds, RESCUE_ORIGIN);
      rescue(session, doc, list, found);
    });
  };
  doc.on('afterTransaction', onTransaction);
  return () => {
    isOver = true;
    doc.off('afterTransaction', onTransaction);
  };
}

const comesFromElsewhere = ({ local, origin }: Y.Transaction): boolean => !local || origin instanceof Y.UndoManager;

function idsOfNew(doc: Y.Doc, transaction: Y.Transaction): ReadonlySet<unknown> {
  const body = bodyOf(doc);
  if (!new Set<unknown>(transaction.changed.keys()).has(body)) return new Set();
  const nodes = [...touchedNodes(body, transaction)];
  return new Set(nodes.flatMap((node) => (node instanceof Y.XmlElement ? [node.getAttribute('id')] : [])));
}

function find(session: Session, transaction: Y.Transaction): readonly Found[] {
  const told = remoteDeletions(transaction);
  if (told === null) return [];
  return lostTexts(transaction, merged(told)).map((lost) => {
    const id = deletedAttribute(lost.block, 'id');
    const kind = deletedAttribute(lost.block, 'kind');
    return {
      ...lost,
      id: typeof id === 'string' ? id : null,
      kind: lost.block.nodeName === BLOCK && typeof kind === 'string' ? kind : 'paragraph',
      by: authorOf(session, told, lost.block),
      after: idsBefore(lost.block),
      joined: findJoinedText(lost, transaction),
    };
  });
}

function rescue(session: Session, doc: Y.Doc, list: LostList, found: readonly Found[]): void {
  const homeless: Found[] = [];
  doc.transact(() => {
    for (const lost of found) {
      const heir = session.getView().editable
        ? (findMovedText(lost, doc) ?? resolveJoinedText(lost.joined, doc))
        : null;
      if (heir === null) homeless.push(lost);
      else insertLostRuns(heir, lost);
    }
  }, RESCUE_ORIGIN);
  // Of a table, all its cells on one card.
  for (const block of new Set(homeless.map((lost) => lost.block))) {
    const texts = homeless.filter((lost) => lost.block === block);
    const [first] = texts;
    const words = texts.map(lostWordsOf).join('\n').trim();
    if (first === undefined || words === '') continue;
    const { by, kind, after } = first;
    list.add({ key: newBlockId(), at: Date.now(), by, words, kind, after: [...after] });
  }
}

/** Puts lost words back as a block of their own at their place: an own edit like any other. */
export function putBackLost(doc: Y.Doc, { words, kind, after }: Lost): void {
  const body = bodyOf(doc);
  doc.transact(() => {
    const nodes = body.toArray();
    const ids = new Map(nodes.map((node, at) => [node instanceof Y.XmlElement ? node.getAttribute('id') : null, at]));
    const before = after.map((id) => ids.get(id)).find((at) => at !== undefined) ?? -1;
    const made = new Y.XmlElement(BLOCK);
    setAttribute(made, 'id', newBlockId());
    setAttribute(made, 'kind', kind);
    made.insert(0, [new Y.XmlText(words)]);
    body.insert(before + 1, [made]);
  }, EDITOR_ORIGIN);
}

function idsBefore(block: Y.XmlElement): readonly string[] {
  const ids: string[] = [];
  for (let item = block._item?.left ?? null; item !== null && ids.length < REMEMBERED; item = item.left) {
    if (item.deleted || !(item.content instanceof Y.ContentType)) continue;
    const { type } = item.content;
    const id: unknown = type instanceof Y.XmlElement ? type.getAttribute('id') : null;
    if (typeof id === 'string') ids.push(id);
  }
  return ids;
}

function merged(told: readonly AuthoredDeletions[]): AuthoredDeletions['deletes'] {
  const all = new Map<number, { readonly clock: number; readonly len: number }[]>();
  for (const { deletes } of told) {
    for (const [client, ranges] of deletes) all.set(client, [...(all.get(client) ?? []), ...ranges]);
  }
  return all;
}

/** Who deleted the block, where the roster still has their session. */
function authorOf(session: Session, told: readonly AuthoredDeletions[], block: Y.XmlElement): UserId | null {
  const id = block._item?.id;
  if (id === undefined) return null;
  const isIts = ({ deletes }: AuthoredDeletions) =>
    deletes.get(id.client)?.some(({ clock, len }) => clock <= id.clock && id.clock < clock + len) === true;
  const by = told.find(isIts)?.by ?? null;
  return session.getView().peers.find((peer) => peer.session === by)?.user ?? null;
}
