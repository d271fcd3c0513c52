// Why the open page is closed or in the trash. Opens it again once this person may read it, without a reload.
import { atom } from 'jotai/vanilla';
import { useEffect, useMemo, useRef } from 'react';
import type { WeftError } from 'weft-sync/protocol/errors.ts';
import { mayEdit } from 'weft-sync/protocol/roles.ts';
import type { Closure } from '../../protocol/people-answers.ts';
import { useListedPage, usePage, useValue, useWorkspace } from '../../state/hooks.ts';
import { useClosure } from './use-closure.ts';

export function usePageClosure(): Closure {
  const page = usePage();
  const { listAtom, onChange } = useWorkspace();
  const isListed = useListedPage(page.documentId) !== null;
  const isListKnown = useValue(useMemo(() => atom((get) => isKnown(get(listAtom))), [listAtom]));
  const isPending = useValue(page.pendingAtom) !== null;
  const code = useValue(page.errorAtom)?.code;
  const mayEditIt = mayEdit(useValue(page.roleAtom));
  // A reader’s session has WF002 too, and nothing is wrong. Someone whose role may edit has it only if the server refused them.
  const isRefused = code === 'WF001' || (code === 'WF002' && mayEditIt);
  const isGone = !isListed && isListKnown && !isPending;
  const wasListed = useRef(isListed);
  useEffect(() => {
    if (isListed && !wasListed.current && isRefused) {
      void page.reopen();
      page.retry();
    }
    wasListed.current = isListed;
  }, [page, isListed, isRefused]);
  return useClosure(page.documentId, isRefused || isGone, onChange);
}

/** A guest whose only page is in the trash gets no list at all. */
const isKnown = ({ isFresh, error }: { readonly isFresh: boolean; readonly error: WeftError | null }): boolean =>
  isFresh || error?.code === 'WF001';
