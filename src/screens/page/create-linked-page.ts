// Creates a page below another one, for a link in its text. The page goes to the trash while that link is undone, unless
// something was written in it.
import type { DocumentId } from 'weft-sync/protocol/ids.ts';
import type { OpenPage } from '../../state/page/open-page.ts';
import type { PersonState } from '../../state/person/person-state.ts';
import type { OpenWorkspace } from '../../state/workspace/open-workspace.ts';
import { type UndoStep, undoOf } from '../../state/workspace/tree/undo-steps.ts';
import { PART_NOT_LOADED, shownTitle } from '../../texts/content-texts.ts';
import { creationProblem } from '../../texts/creation-problem.ts';
import { toast, toastWithUndo } from '../../ui/floating/toast.tsx';

type Options = {
  readonly id: DocumentId;
  readonly title: string;
  readonly parent: OpenPage;
  readonly workspace: Pick<OpenWorkspace, 'createPage' | 'renamePage' | 'trashPage' | 'closedRows'>;
  readonly person: Pick<PersonState, 'pages' | 'store'>;
};

export function createLinkedPage(options: Options) {
  const { id, title, workspace, person } = options;
  const isCreated = startPage(options);
  let trashing: UndoStep | null = null;
  const discard = async () => {
    if (!(await isCreated)) return;
    const loaded = await import('./is-blank-page.ts').catch(() => null);
    if (loaded === null) return toast(PART_NOT_LOADED);
    if (!(await loaded.isBlankPage(id, title, person)))
      return toast(`“${shownTitle(title)}” stays, because it isn’t empty.`);
    const step = workspace.trashPage(id);
    trashing = step;
    toastWithUndo(`“${shownTitle(title)}” moved to trash`, () => undoOf(step));
  };
  const bringBack = async () => {
    const problem = trashing === null ? null : await undoOf(trashing);
    trashing = null;
    if (problem !== null) toast(problem);
  };
  // One after the other: undo and redo are quicker than the server.
  let last = Promise.resolve();
  const setLinked = (isLinked: boolean) => {
    last = last.then(isLinked ? bringBack : discard);
  };
  return { isCreated, setLinked };
}

async function startPage({ id, title, parent, workspace, person }: Options): Promise<boolean> {
  workspace.closedRows.setOpen(parent.documentId, true);
  const created = await workspace.createPage({ parent: parent.documentId }, id);
  if (!created.ok) {
    toast(creationProblem(created.error));
    return false;
  }
  if (title === '') return true;
  await workspace.renamePage(id, title);
  if (person.store.get(parent.connectionAtom) === 'offline') {
    toast(`“${title}” is on this device. Others see it when you’re back online.`);
  }
  return true;
}
