// Recovers text that you typed in a block while someone else, who had not seen it, deleted the block. If the block's
// text was moved or joined elsewhere, your text follows it there. If not, a card at the place keeps it. Of a block that
// you and someone else moved at once, it removes your copy if theirs stays.
import { Extension } from '@tiptap/core';
import { Plugin } from '@tiptap/pm/state';
import type { EditorView } from '@tiptap/pm/view';
import { removeOwnDuplicates } from 'weft-document/blocks/duplicate-moves.ts';
import { BLOCK, bodyOf } from 'weft-document/names.ts';
import { newBlockId } from 'weft-document/new-block-id.ts';
import { type LostText, lostTexts, mergedDeletions, recoveredTextOf } from 'weft-document/recovered-text/lost-texts.ts';
import { idsBefore, indexAfter, kindOf, lineOf } from 'weft-document/recovered-text/place.ts';
import {
  type JoinedText,
  findJoinedText,
  findMovedText,
  insertLostRuns,
  resolveJoinedText,
} from 'weft-document/recovered-text/relocated-text.ts';
import { setAttribute } from 'weft-document/set-attribute.ts';
import type { UserId } from 'weft-sync/protocol/ids.ts';
import type { Session } from 'weft-sync/session/session-api.ts';
import { remoteDeletions } from 'weft-sync/updates/remote-deletions.ts';
import * as Y from 'yjs';
import type { Cancel } from '../../lib/cancel.ts';
import { onePer } from '../../lib/one-per.ts';
import { EDITOR_ORIGIN, bindingOf } from '../binding/binding-of.ts';
import { touchedNodes } from '../binding/touched-nodes.ts';
import { caretFollowsBlock } from '../carets/caret-follows-block.ts';
import type { watchDeletedBlocks as WatchDeletedBlocks } from './deleted-blocks.ts';
import { deleterOf } from './deletion-facts.ts';
import { deviceRecoveredText } from './recovered-text-store.ts';
import { recoveredTextWidgets } from './recovered-text-widgets.ts';
import { type RecoveredTextEntry, RecoveredTexts } from './recovered-texts.ts';

/** The origin of what is restored or removed automatically: undo leaves it alone. */
const RECOVERY_ORIGIN = { origin: 'recovery' } as const;

/** Lists outlive the editor that filled them (L6 in src/sync/SPEC.md). On a device with several users, everyone has their own. */
export const recoveredTextsOf = onePer((session: Session): RecoveredTexts => {
  const created = new RecoveredTexts(session.documentId, deviceRecoveredText(session.user));
  const noteBeginning = () => created.noteBeginning(session.historyBeganAt);
  session.subscribe(noteBeginning);
  noteBeginning();
  return created;
});

export const recoveredText = (session: Session, doc: Y.Doc) =>
  Extension.create({
    name: 'recoveredText',
    priority: 400,
    addProseMirrorPlugins: () => [
      caretFollowsBlock(),
      recoveredTextWidgets(recoveredTextsOf(session)),
      new Plugin({
        view(view) {
          const stops = [watch(session, doc), watchDeletedLater(session, doc, () => caretPartOf(view))];
          return { destroy: () => stops.forEach((stop) => stop()) };
        },
      }),
    ],
  });

let watchDeletedBlocks: typeof WatchDeletedBlocks | null = null;

/** The first page has to open first. Offline, without the file, only unseen words are found. */
function watchDeletedLater(session: Session, doc: Y.Doc, caretPart: () => Y.XmlElement | null): Cancel {
  let isStopped = false;
  let stop: Cancel | null = null;
  const start = (watchDeleted: typeof WatchDeletedBlocks) => {
    watchDeletedBlocks = watchDeleted;
    if (!isStopped) stop = watchDeleted(session, doc, recoveredTextsOf(session), caretPart);
  };
  // A later editor, of a document that was replaced for example, misses nothing.
  if (watchDeletedBlocks !== null) start(watchDeletedBlocks);
  else
    void import('./deleted-blocks.ts').then(
      (loaded) => start(loaded.watchDeletedBlocks),
      () => undefined,
    );
  return () => {
    isStopped = true;
    stop?.();
  };
}

/** The block or cell with the caret. */
function caretPartOf({ state }: EditorView): Y.XmlElement | null {
  const { $head } = state.selection;
  return $head.depth > 0 ? (bindingOf(state)?.nodes.elementOf($head.parent) ?? null) : null;
}

/** Lost text, with what can be read only while the listeners of its transaction run. */
type FoundLostText = LostText & {
  readonly kind: string;
  readonly by: UserId | null;
  readonly after: readonly string[];
  readonly joined: JoinedText | null;
};

function watch(session: Session, doc: Y.Doc): () => void {
  const list = recoveredTextsOf(session);
  let isStopped = false;
  const onTransaction = (transaction: Y.Transaction) => {
    const found = transaction.local ? [] : find(session, transaction);
    const createdIds = comesFromElsewhere(transaction) ? idsOfNew(doc, transaction) : new Set();
    if (found.length === 0 && createdIds.size === 0) return;
    // Not inside the listener: the session must first know which edits this one builds on (I4 in src/sync/SPEC.md).
    queueMicrotask(() => {
      if (isStopped) return;
      if (session.getView().editable) removeOwnDuplicates(doc, doc.clientID, createdIds, RECOVERY_ORIGIN);
      recover(session, doc, list, found);
    });
  };
  doc.on('afterTransaction', onTransaction);
  return () => {
    isStopped = true;
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

function find(session: Session, transaction: Y.Transaction): readonly FoundLostText[] {
  const deletions = remoteDeletions(transaction);
  if (deletions === null) return [];
  return lostTexts(transaction, mergedDeletions(deletions)).map((lost) => ({
    ...lost,
    kind: kindOf(lost.block),
    by: deleterOf(session, deletions, lost.part),
    after: idsBefore(lost.block),
    joined: findJoinedText(lost, transaction),
  }));
}

function recover(session: Session, doc: Y.Doc, list: RecoveredTexts, found: readonly FoundLostText[]): void {
  const unplaced: FoundLostText[] = [];
  doc.transact(() => {
    for (const lost of found) {
      const target = session.getView().editable
        ? (findMovedText(lost, doc) ?? resolveJoinedText(lost.joined, doc))
        : null;
      if (target === null) unplaced.push(lost);
      else insertLostRuns(target, lost);
    }
  }, RECOVERY_ORIGIN);
  // All cells of a table go on one card, also those of several rows or of a column.
  for (const block of new Set(unplaced.map((lost) => lost.block))) {
    const texts = unplaced.filter((lost) => lost.block === block);
    const [first] = texts;
    const words = texts.map(recoveredTextOf).join('\n').trim();
    if (first === undefined || words === '') continue;
    const { by, kind, after, part } = first;
    list.add({ key: first.first, at: Date.now(), by, words, kind, ...lineOf(part), after: [...after] });
  }
}

/** Inserts recovered text as a new block at its place: a local edit like any other. */
export function insertRecoveredText(doc: Y.Doc, { words, kind, after }: RecoveredTextEntry): void {
  const body = bodyOf(doc);
  doc.transact(() => {
    const created = new Y.XmlElement(BLOCK);
    setAttribute(created, 'id', newBlockId());
    setAttribute(created, 'kind', kind);
    created.insert(0, [new Y.XmlText(words)]);
    body.insert(indexAfter(body, after), [created]);
  }, EDITOR_ORIGIN);
}
