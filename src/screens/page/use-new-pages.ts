// Lets the editor create subpages for new links in the text of the open page, and read the titles of linked pages.
import { useMemo } from 'react';
import { useNavigate } from 'react-router';
import type { NewPages } from '../../editor/typed-menu/mention-names.ts';
import { newDocumentId } from '../../protocol/new-ids.ts';
import { NEW_PAGE } from '../../shell/new-page-state.ts';
import { usePage, usePerson, useTitleReader, useWorkspace } from '../../state/hooks.ts';
import { pagePath, parsePageParam } from '../../state/workspace/page-address.ts';
import { createLinkedPage } from './create-linked-page.ts';

export function useNewPages(): NewPages {
  const parent = usePage();
  const workspace = useWorkspace();
  const person = usePerson();
  const navigate = useNavigate();
  const readTitle = useTitleReader();
  return useMemo(
    () => ({
      create(title) {
        const id = newDocumentId();
        const address = pagePath(workspace.workspace.slug, { id, title });
        return {
          address,
          ...createLinkedPage({ id, title, parent, workspace, person }),
          open: () => void navigate(address, title === '' ? { state: NEW_PAGE } : {}),
        };
      },
      titleOf(address) {
        const id = parsePageParam(address);
        return id === null ? '' : readTitle(id).trim();
      },
    }),
    [parent, workspace, person, navigate, readTitle],
  );
}
