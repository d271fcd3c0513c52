// Why a page is closed to this person or in the trash, while there is reason to ask.
import { useEffect, useMemo } from 'react';
import type { DocumentId } from 'weft-sync/protocol/ids.ts';
import type { Cancel } from '../../lib/cancel.ts';
import type { WorkspaceChange } from '../../protocol/answers.ts';
import type { Closure } from '../../protocol/people-answers.ts';
import { usePerson, useValue } from '../../state/hooks.ts';
import { pageClosure } from '../../state/page/page-closure.ts';

/**
 * Null while nothing is known. Asks the server only while `isSuspected`: something hints that the page is closed.
 * `onChange` subscribes to the changes that may concern the page.
 */
export function useClosure(
  document: DocumentId,
  isSuspected: boolean,
  onChange: (run: (change: WorkspaceChange | null) => void) => Cancel,
): Closure {
  const { store, access } = usePerson();
  const closure = useMemo(
    () => pageClosure({ document, store, access, onChange }),
    [document, store, access, onChange],
  );
  useEffect(() => (isSuspected ? closure.follow() : undefined), [closure, isSuspected]);
  return useValue(closure.atom);
}
