// The page's entry in the workspace's list of pages.
import type { DocumentSummary } from '../../../protocol/answers.ts';
import type { DocumentId } from '../../../protocol/ids.ts';
import { useValue, useWorkspace } from '../../../state/hooks.ts';

/** Null while the list has not loaded, or does not contain the page. */
export function useListedPage(id: DocumentId): DocumentSummary | null {
  const list = useValue(useWorkspace().listAtom).value;
  return list?.documents.find((page) => page.id === id) ?? null;
}
