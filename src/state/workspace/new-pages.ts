// Creates pages in a workspace: on the server, or on this device while the server does not answer.
import type { Atom } from 'jotai/vanilla';
import { type WeftError, weftError } from 'weft-sync/protocol/errors.ts';
import type { DocumentId } from 'weft-sync/protocol/ids.ts';
import { type Result, err, ok } from '../../lib/result.ts';
import type { DocumentSummary } from '../../protocol/answers.ts';
import { type pageList, roleIn } from './page-list.ts';
import { summaryOf } from './pending/pending-pages.ts';
import type { PageIndex } from './tree/page-index.ts';
import { type TreePlace, lastPlace, rankAt } from './tree/places.ts';
import type { WorkspaceOptions } from './workspace-options.ts';

/** How long to wait for the server to create a page before showing it anyway. */
const CREATED_WITHIN_MS = 1_500;

export type NewPlace = TreePlace | { readonly parent: DocumentId | null };

export function newPages(
  options: WorkspaceOptions & { readonly list: ReturnType<typeof pageList>; readonly indexAtom: Atom<PageIndex> },
) {
  const { store, list, pendingPages, timing } = options;
  const rankIn = (id: DocumentId, place: NewPlace) => {
    const index = store.get(options.indexAtom);
    return rankAt(index, id, 'after' in place ? place : lastPlace(index, place.parent, id));
  };

  return {
    async createPage(place: NewPlace, id: DocumentId): Promise<Result<DocumentSummary, WeftError>> {
      // The list has not arrived yet, but the new page's rank depends on its siblings.
      if (store.get(list.serverAtom).value === null) await list.refresh();
      const now = store.get(list.serverAtom).value;
      if (now === null) return err(weftError('WF011', 'the list of pages is not known yet'));
      const page = { id, workspace: now.workspace.id, parent: place.parent, rank: rankIn(id, place) };
      const role = roleIn(now.workspace);
      const madeAt = timing.now();
      if (!(await pendingPages.add({ ...page, madeAt }, role))) {
        // The device could not store the page, so it is created on the server or not at all.
        const answer = await options.directory.createDocument(page);
        if (answer.ok) list.put(answer.value);
        return answer;
      }
      const timeout = new Promise<null>((resolve) => timing.after(CREATED_WITHIN_MS, () => resolve(null)));
      const created = await Promise.race([pendingPages.create(id), timeout]);
      const queued = store.get(pendingPages.atom).get(id);
      if (created?.ok === true && created.value !== null) return ok(created.value);
      // No one has written in the page yet, so a place that is rejected at once leaves nothing behind.
      if (created?.ok === false && queued?.refused !== null && queued !== undefined) {
        await pendingPages.drop(id);
        return err(weftError(queued.refused, created.error.detail));
      }
      return ok(summaryOf(queued ?? { ...page, madeAt, title: '', refused: null }, role, options.me));
    },
    moveToTop: (id: DocumentId) => pendingPages.moveTo(id, null, rankIn(id, { parent: null })),
  };
}
