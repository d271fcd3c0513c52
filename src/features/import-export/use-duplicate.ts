// Duplicates a page right below it.
import type { DocumentSummary } from '../../protocol/answers.ts';
import type { DocumentId } from 'weft-sync/protocol/ids.ts';
import { mayCreatePages } from '../../protocol/roles.ts';
import { mayEdit } from 'weft-sync/protocol/roles.ts';
import { PART_NOT_LOADED } from '../../texts/content-texts.ts';
import { usePerson, useWorkspace } from '../../state/hooks.ts';
import type { TreePlace } from '../../state/workspace/tree/places.ts';
import { treePlaceOf } from '../../state/workspace/tree/tree-moves.ts';
import { toast } from '../../ui/floating/toast.tsx';

/** `onDuplicated` receives the copy. */
export function useDuplicate(onDuplicated: (page: DocumentSummary) => void): (page: DocumentId) => void {
  const person = usePerson();
  const { workspace, createPage, indexAtom } = useWorkspace();
  return (page) => {
    const index = person.store.get(indexAtom);
    const { parent } = treePlaceOf(index, page);
    const mayBeside = parent === null ? mayCreatePages(workspace.role) : mayEdit(index.pages.get(parent)?.role ?? null);
    const place: TreePlace = mayBeside ? { parent, after: page } : { parent: page, after: null };
    void (async () => {
      const loaded = await import('./duplicate-page.ts').catch(() => null);
      if (loaded === null) return toast(PART_NOT_LOADED);
      const copy = await loaded.duplicatePage({ of: 'page', id: page }, place, person, createPage);
      if (copy.ok) onDuplicated(copy.page);
      else toast(copy.why);
    })();
  };
}
