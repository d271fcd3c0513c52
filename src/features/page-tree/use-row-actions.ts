// Adds, moves, trashes and renames pages from their rows, with announcements, toasts and undo.
import { useState } from 'react';
import type { WeftError } from 'weft-sync/protocol/errors.ts';
import type { DocumentId } from 'weft-sync/protocol/ids.ts';
import { mayEdit } from 'weft-sync/protocol/roles.ts';
import { usePerson, useTitleReader, useWorkspace } from '../../state/hooks.ts';
import type { TreePlace } from '../../state/workspace/tree/places.ts';
import { undoOf } from '../../state/workspace/tree/undo-steps.ts';
import { shownTitle } from '../../texts/content-texts.ts';
import { textOf } from '../../texts/error-texts.ts';
import { closeUndoToast, toast, toastWithUndo } from '../../ui/floating/toast.tsx';
import type { VisibleRow } from './visible-rows.ts';

type Tree = {
  readonly onNewPage: (parent: DocumentId) => void;
  /** Calls `move` at once or after a question. */
  readonly askToMove: (page: DocumentId, parent: DocumentId | null, move: () => void) => void;
  readonly rows: readonly VisibleRow[];
  readonly focus: (id: DocumentId) => void;
  readonly focusTree: () => void;
};

export type RowActions = ReturnType<typeof useRowActions>;

export function useRowActions({ rows, onNewPage, askToMove, focus, focusTree }: Tree) {
  const workspace = useWorkspace();
  const { store } = usePerson();
  const readTitle = useTitleReader();
  const titleOf = (id: DocumentId) => shownTitle(readTitle(id));
  const [announcement, setAnnouncement] = useState('');
  const [renamed, setRenamed] = useState<DocumentId | null>(null);
  // Read when something is done, not while rendering: a change of one page renders its row, not the tree.
  const mayEditPage = (id: DocumentId) => mayEdit(store.get(workspace.indexAtom).pages.get(id)?.role ?? null);

  const addPage = (parent: DocumentId) => {
    if (!mayEditPage(parent)) return;
    workspace.closedRows.setOpen(parent, true);
    onNewPage(parent);
  };
  const move = (id: DocumentId, to: TreePlace, isByKey: boolean) => {
    if (!mayEditPage(id)) return;
    askToMove(id, to.parent, () => {
      if (to.parent !== null) workspace.closedRows.setOpen(to.parent, true);
      const step = workspace.movePage(id, to);
      const says = `Moved “${titleOf(id)}” ${to.parent === null ? 'to the top level' : `into “${titleOf(to.parent)}”`}`;
      // By keys a page moves step by step, and Ctrl Z is at hand.
      if (isByKey) setAnnouncement(says);
      else toastWithUndo(says, () => undoOf(step));
    });
  };
  const trash = (id: DocumentId) => {
    if (!mayEditPage(id)) return;
    const at = rows.findIndex((row) => row.id === id);
    const next = rows.slice(at + 1).find((row) => row.depth <= (rows[at]?.depth ?? 0)) ?? rows[at - 1];
    const says = `“${titleOf(id)}” moved to trash`;
    const step = workspace.trashPage(id);
    toastWithUndo(says, () => undoOf(step));
    if (next === undefined) focusTree();
    else focus(next.id);
  };
  const undo = async () => {
    const step = workspace.undoSteps.newest;
    if (step === null) return setAnnouncement('Nothing to undo');
    closeUndoToast();
    const problem = await undoOf(step);
    if (problem === null) setAnnouncement('Undone');
    else toast(problem);
  };
  const rename = async (id: DocumentId, title: string) => {
    const before = readTitle(id);
    const answer = await workspace.renamePage(id, title);
    if (!answer.ok) return toast(renameProblem(answer.error));
    if (title === before) return;
    const step = workspace.undoSteps.add(() => workspace.renamePage(id, before));
    toastWithUndo(`Renamed to “${shownTitle(title)}”`, () => undoOf(step));
  };
  const beginRenaming = (id: DocumentId) => {
    if (mayEditPage(id)) setRenamed(id);
  };
  /** Without a title the page keeps its own. */
  const endRenaming = (id: DocumentId, title: string | null) => {
    setRenamed(null);
    focus(id);
    if (title !== null) void rename(id, title);
  };
  /** `announcement` is for screen readers, `renamed` is the row that shows a field for its title. */
  return { announcement, renamed, mayEditPage, addPage, move, beginRenaming, endRenaming, trash, undo };
}

const renameProblem = (error: WeftError): string =>
  error.code === 'WF011'
    ? 'Can’t rename now: this page isn’t on this device, and the server doesn’t answer.'
    : textOf(error);
