// Duplicates a page: the copy comes after it in the tree, or inside it for someone who may not create pages beside it.
import type { DocumentId } from 'weft-sync/protocol/ids.ts';
import type { DocumentSummary } from '../../protocol/answers.ts';
import { useMayCreatePages, usePerson, useWorkspace } from '../../state/hooks.ts';
import { placeOfCopy } from '../../state/workspace/tree/tree-moves.ts';
import { PART_NOT_LOADED } from '../../texts/content-texts.ts';
import { toast } from '../../ui/floating/toast.tsx';

/** `onDuplicated` receives the copy. */
export function useDuplicate(onDuplicated: (page: DocumentSummary) => void): (page: DocumentId) => void {
  const person = usePerson();
  const workspace = useWorkspace();
  const mayCreateAtTop = useMayCreatePages();
  return (page) => {
    const place = placeOfCopy(person.store.get(workspace.indexAtom), page, mayCreateAtTop);
    void (async () => {
      const loaded = await import('./duplicate-page.ts').catch(() => null);
      if (loaded === null) return toast(PART_NOT_LOADED);
      const copy = await loaded.duplicatePage({ of: 'page', id: page }, place, person, workspace);
      if (copy.ok) onDuplicated(copy.page);
      else toast(copy.why);
    })();
  };
}
