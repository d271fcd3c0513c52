// Says on the home how many edits of this device were never saved because their page was closed to this person, or wait because
// their page is in the trash.
import { selectAtom } from 'jotai/utils';
import { atom } from 'jotai/vanilla';
import CircleAlert from 'lucide-react/icons/circle-alert';
import { useMemo, useState } from 'react';
import { Link } from 'react-router';
import type { DocumentId } from 'weft-sync/protocol/ids.ts';
import { CopyDownloaded, DownloadCopyButton } from '../../features/account/unsent/download-copy.tsx';
import { useClosure } from '../../features/closed-pages/use-closure.ts';
import { isSameList } from '../../lib/lists/is-same-list.ts';
import { usePerson, useValue, useWorkspace } from '../../state/hooks.ts';
import { textOfClosure } from '../../state/page/page-closure.ts';
import { pagePath } from '../../state/workspace/page-address.ts';
import { unsavedText } from '../../texts/error-texts.ts';
import { Banner } from '../../ui/feedback/banner.tsx';

export function LostEdits() {
  const documents = useUnlistedUnsent();
  return documents.map((document) => <LostEditsOf key={document} document={document} />);
}

/** Pages with unsent edits that the workspace's list lacks. */
function useUnlistedUnsent(): readonly DocumentId[] {
  const { unsentPagesAtom, pendingPages } = usePerson();
  const { listAtom } = useWorkspace();
  const documentsAtom = useMemo(() => {
    const allAtom = atom((get) => {
      const { value, isFresh, error } = get(listAtom);
      // A guest whose only page was closed gets no list at all.
      if (!isFresh && error?.code !== 'WF001') return [];
      const listed = new Set(value?.documents.map(({ id }) => id));
      const pending = get(pendingPages.atom);
      const unsent = get(unsentPagesAtom).map(({ document }) => document);
      return unsent.filter((document) => !listed.has(document) && !pending.has(document));
    });
    // Every key changes how much is unsent, and seldom where.
    return selectAtom(allAtom, (documents) => documents, isSameList);
  }, [listAtom, pendingPages, unsentPagesAtom]);
  return useValue(documentsAtom);
}

function LostEditsOf({ document }: { readonly document: DocumentId }) {
  const { identity, unsentPagesAtom, onChange } = usePerson();
  const { workspace } = useWorkspace();
  const closure = useClosure(document, true, onChange);
  const edits = useValue(unsentPagesAtom).find((one) => one.document === document)?.edits ?? 0;
  const [savedFile, setSaved] = useState<string | null>(null);
  if (closure === null || edits === 0) return null;
  return (
    <Banner
      kind="error"
      icon={<CircleAlert className="icon" />}
      action={
        <>
          <DownloadCopyButton onSaved={setSaved} />
          <Link className="btn" to={pagePath(workspace.slug, { id: document, title: '' })}>
            Show page
          </Link>
        </>
      }
    >
      {textOfClosure(closure, identity.id)} {unsavedText(edits)}
      {savedFile !== null && <CopyDownloaded name={savedFile} />}
    </Banner>
  );
}
