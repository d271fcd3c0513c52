// Save marks: the edge of a block shows where its newest local edit is (being sent, waiting, refused, saved). Normal
// typing shows nothing. Decorations only; nothing here is written.
import { Extension } from '@tiptap/core';
import { Plugin, PluginKey } from '@tiptap/pm/state';
import { Decoration, DecorationSet, type EditorView } from '@tiptap/pm/view';
import { bodyOf } from 'weft-document/names.ts';
import type { SessionId } from 'weft-sync/protocol/ids.ts';
import type { Session } from 'weft-sync/session/session-api.ts';
import * as Y from 'yjs';
import { isKeptAsFile } from '../state/page/page-view.ts';
import { readDomSelection } from './binding/fresh-selection.ts';
import { touchedNodes } from './binding/touched-nodes.ts';

type SaveMark = 'sending' | 'held' | 'refused' | 'saved';
/** Of a block: the number of its newest edit, and since when it waits or is shown as saved. */
type Pending = { n: number; since: number; shown: SaveMark | null };

/** Sending is shown only after this time. */
const SHOW_SENDING_AFTER_MS = 1000;
/** The mark of what is saved stands still for 400 ms, then fades for 600 ms. */
const FADE_MS = 1000;

/**
 * With more marked blocks than this, the page gets one mark: a decoration on each of 20,000 lines cost eight seconds
 * (Chromium 156).
 */
const MAX_MARKED_BLOCKS = 300;
/** If several marks apply, the page shows the first in this list. */
const BY_PRIORITY: readonly SaveMark[] = ['refused', 'held', 'sending', 'saved'];

type SaveMarks = ReadonlyMap<string, SaveMark>;
type Shown = { readonly marks: SaveMarks; readonly page: SaveMark | null; readonly blocks: DecorationSet };

const NO_MARKS: Shown = { marks: new Map(), page: null, blocks: DecorationSet.empty };
const key = new PluginKey<Shown>('saveMarks');

export const saveMarks = (session: Session, doc: Y.Doc) =>
  Extension.create({
    name: 'saveMarks',
    addProseMirrorPlugins: () => [
      new Plugin<Shown>({
        key,
        state: {
          init: () => NO_MARKS,
          apply(transaction, shown, _before, { doc }) {
            const change: unknown = transaction.getMeta(key);
            if (change instanceof NewMarks) return draw(doc, change.marks);
            // Not mapped: where a remote edit replaced blocks, their marks would be lost.
            return transaction.docChanged ? draw(doc, shown.marks) : shown;
          },
        },
        props: {
          decorations: (state) => key.getState(state)?.blocks ?? null,
          attributes: (state) => {
            const page = key.getState(state)?.page ?? null;
            return page === null ? {} : { 'data-selvedge': page };
          },
        },
        view: (view) => ({ destroy: watch(view, session, doc) }),
      }),
    ],
  });

class NewMarks {
  readonly marks: SaveMarks;
  constructor(marks: SaveMarks) {
    this.marks = marks;
  }
}

function draw(doc: EditorView['state']['doc'], marks: SaveMarks): Shown {
  if (marks.size === 0) return NO_MARKS;
  if (marks.size > MAX_MARKED_BLOCKS) {
    const all = new Set(marks.values());
    return { marks, page: BY_PRIORITY.find((mark) => all.has(mark)) ?? null, blocks: DecorationSet.empty };
  }
  const decorations: Decoration[] = [];
  doc.forEach((node, at) => {
    const mark = marks.get(String(node.attrs['id']));
    if (mark !== undefined) decorations.push(Decoration.node(at, at + node.nodeSize, { 'data-selvedge': mark }));
  });
  return { marks, page: null, blocks: DecorationSet.create(doc, decorations) };
}

/**
 * The marks outlive the editor that drew them: the editor of the page's next document continues with them (L6 in
 * src/sync/SPEC.md). Not when the session started anew (HI3): it numbers edits from 1 again.
 */
const pendingOf = new WeakMap<Session, { readonly sessionId: SessionId; readonly pending: Map<string, Pending> }>();

function pendingIn(session: Session): Map<string, Pending> {
  const { sessionId } = session;
  const known = pendingOf.get(session);
  if (known?.sessionId === sessionId) return known.pending;
  const pending = new Map<string, Pending>();
  pendingOf.set(session, { sessionId, pending });
  return pending;
}

function watch(view: EditorView, session: Session, doc: Y.Doc): () => void {
  const pending = pendingIn(session);
  let isStopped = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  let isScheduled = false;
  /** Runs once for all changes of one edit, after the editor has finished it. */
  const updateSoon = () => {
    if (isScheduled) return;
    isScheduled = true;
    queueMicrotask(() => {
      isScheduled = false;
      update();
    });
  };
  const onTransaction = (transaction: Y.Transaction) => {
    if (!transaction.local || !transaction.changedParentTypes.size) return;
    const ids = touchedIds(doc, transaction);
    if (ids.length === 0) return;
    // The session numbers the edit in its own listener of the same update. Its number is known only after that.
    queueMicrotask(() => {
      const { lastN } = session.getView();
      for (const id of ids) {
        const known = pending.get(id);
        pending.set(id, { n: lastN, since: known?.since ?? Date.now(), shown: known?.shown ?? null });
      }
      updateSoon();
    });
  };
  const update = () => {
    if (isStopped) return;
    clearTimeout(timer);
    const { ackedN, error, receipt: shown, unsent } = session.getView();
    // The refused edits are from before a final restore (HI5). Those of this document are being sent.
    const receipt = isKeptAsFile({ receipt: shown, error }) ? 'sending' : shown;
    const now = Date.now();
    // Someone who keeps typing always has an edit on the way, so the oldest one counts.
    const oldestAt = unsent.oldestAt ?? 0;
    let next = Infinity;
    for (const [id, one] of pending) {
      const mark = markOf(one, { ackedN, receipt, oldestAt, now });
      if (mark === 'saved' && one.shown !== 'saved') one.since = now;
      one.shown = mark;
      if (mark === null && one.n <= ackedN) pending.delete(id);
      else if (mark === null) next = Math.min(next, Math.max(one.since, oldestAt) + SHOW_SENDING_AFTER_MS);
      else if (mark === 'saved') next = Math.min(next, one.since + FADE_MS);
    }
    if (next < Infinity) timer = setTimeout(update, Math.max(0, next - now) + 10);
    show();
  };
  const show = () => {
    const marks = new Map([...pending].flatMap(([id, { shown }]) => (shown === null ? [] : [[id, shown] as const])));
    if (sameMarks(marks, (key.getState(view.state) ?? NO_MARKS).marks)) return;
    if (!view.composing) readDomSelection(view);
    view.dispatch(view.state.tr.setMeta(key, new NewMarks(marks)));
  };

  doc.on('afterTransaction', onTransaction);
  const cancel = session.subscribe(updateSoon);
  for (const one of pending.values()) one.shown = null;
  // Not while the view is being created.
  if (pending.size > 0) updateSoon();
  return () => {
    isStopped = true;
    doc.off('afterTransaction', onTransaction);
    cancel();
    clearTimeout(timer);
  };
}

type ReceiptState = {
  readonly ackedN: number;
  readonly receipt: string;
  readonly oldestAt: number;
  readonly now: number;
};

function markOf(one: Pending, { ackedN, receipt, oldestAt, now }: ReceiptState): SaveMark | null {
  if (one.n <= ackedN) {
    if (one.shown === null) return null;
    return one.shown === 'saved' && now - one.since >= FADE_MS ? null : 'saved';
  }
  if (receipt === 'refused') return 'refused';
  if (receipt === 'device' || receipt === 'tab') return 'held';
  return now - Math.max(one.since, oldestAt) >= SHOW_SENDING_AFTER_MS ? 'sending' : null;
}

function touchedIds(doc: Y.Doc, transaction: Y.Transaction): readonly string[] {
  return [...touchedNodes(bodyOf(doc), transaction)].flatMap((node) => {
    const id: unknown = node instanceof Y.XmlElement ? node.getAttribute('id') : undefined;
    return typeof id === 'string' ? [id] : [];
  });
}

const sameMarks = (a: SaveMarks, b: SaveMarks): boolean =>
  a.size === b.size && [...a].every(([id, mark]) => b.get(id) === mark);
