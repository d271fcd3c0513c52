// Moves, icons, templates, trashings and favourites of pages. Each is shown at once and waits on this device until the server
// has it, also over a reload. If the server rejects one, it is taken back, and the person learns why.
import { type Atom, atom } from 'jotai/vanilla';
import type { WeftError } from 'weft-sync/protocol/errors.ts';
import type { DocumentId } from 'weft-sync/protocol/ids.ts';
import { type Result, ok } from '../../../lib/result.ts';
import type { PageEntryChange } from '../../../ports/device.ts';
import type { Directory, Home } from '../../../ports/workspace.ts';
import type { DocumentSummary } from '../../../protocol/answers.ts';
import { type ChangeSender, type ChangeSenderOptions, changeSender } from '../../offline/change-sender.ts';

export type RefusedChange = { readonly change: PageEntryChange; readonly error: WeftError };

export interface PageEntryChanges extends Omit<
  ChangeSender<PageEntryChange>,
  'add' | 'idle' | 'isFailingAtom' | 'onlyHereAtom'
> {
  /** The newest change that the server rejected. */
  readonly refusedAtom: Atom<RefusedChange | null>;
  /** Shows the change, stores it and sends it. It replaces those of the same page and kind that are not on their way. */
  readonly add: (change: PageEntryChange) => void;
}

type SendingPorts = {
  readonly directory: Pick<Directory, 'moveDocument' | 'setDocumentIcon' | 'setDocumentTemplate' | 'trashDocument'>;
  readonly home: Pick<Home, 'setFavourite'>;
  /** Resolves when the server has the page, which may have been created offline. */
  readonly ensureCreated: (page: DocumentId) => Promise<Result<unknown, WeftError>>;
  /** Resolves once a page that is open here has sent its edits, or after a few seconds. */
  readonly editsSent: (page: DocumentId) => Promise<void>;
};

export function pageChanges(
  options: SendingPorts &
    Omit<ChangeSenderOptions<PageEntryChange, DocumentSummary | null>, 'call' | 'onRefused' | 'isHeld'>,
): PageEntryChanges {
  const refusedAtom = atom<RefusedChange | null>(null);
  const sender = changeSender<PageEntryChange, DocumentSummary | null>({
    ...options,
    call: (change) => callServer(options, change),
    onRefused(change, error) {
      options.store.set(refusedAtom, { change, error });
      return null;
    },
    isHeld: () => false,
  });
  return {
    ...sender,
    refusedAtom,
    add(change) {
      const isReplaced = ({ page, kind }: PageEntryChange) => page === change.page && kind === change.kind;
      sender.add(change, sender.idle().filter(isReplaced));
    },
  };
}

/** The page as the server has it now. Null: it answered without the page. */
async function callServer(
  { directory, home, ensureCreated, editsSent }: SendingPorts,
  change: PageEntryChange,
): Promise<Result<DocumentSummary | null, WeftError>> {
  const created = await ensureCreated(change.page);
  if (!created.ok) return created;
  switch (change.kind) {
    case 'move': {
      const parent = change.parent === null ? null : await ensureCreated(change.parent);
      return parent?.ok === false ? parent : directory.moveDocument(change.page, change.parent, change.rank);
    }
    case 'icon':
      return directory.setDocumentIcon(change.page, change.icon);
    case 'template':
      return directory.setDocumentTemplate(change.page, change.isTemplate);
    case 'trash': {
      // Edits of a page in the trash wait until it is restored: a new title that is on its way would not be listed there.
      await editsSent(change.page);
      const answer = await directory.trashDocument(change.page);
      return answer.ok ? ok(null) : answer;
    }
    case 'favourite': {
      const answer = await home.setFavourite(change.page, change.rank);
      return answer.ok ? ok(null) : answer;
    }
  }
}

/** The pages as they are once the server has these changes. */
export function withPageChanges(
  documents: readonly DocumentSummary[],
  changes: readonly PageEntryChange[],
): readonly DocumentSummary[] {
  if (changes.length === 0) return documents;
  const pages = new Map(documents.map((page) => [page.id, page]));
  for (const change of changes) {
    const page = pages.get(change.page);
    if (page === undefined) continue;
    if (change.kind === 'move') pages.set(page.id, { ...page, parentId: change.parent, rank: change.rank });
    else if (change.kind === 'icon') pages.set(page.id, { ...page, icon: change.icon });
    else if (change.kind === 'template') pages.set(page.id, { ...page, kind: change.isTemplate ? 'template' : 'page' });
    else if (change.kind === 'favourite') pages.set(page.id, { ...page, favouriteRank: change.rank });
    else deleteSubtree(pages, page.id);
  }
  return Array.from(pages.values());
}

function deleteSubtree(pages: Map<DocumentId, DocumentSummary>, top: DocumentId): void {
  const below = Map.groupBy(pages.values(), ({ parentId }) => parentId);
  const remove = (id: DocumentId) => {
    if (!pages.delete(id)) return;
    for (const child of below.get(id) ?? []) remove(child.id);
  };
  remove(top);
}
