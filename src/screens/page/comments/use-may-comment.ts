// Whether this person may comment on the open page; false until its comments are loaded.
import { atom } from 'jotai/vanilla';
import { usePage, useValue } from '../../../state/hooks.ts';

const NO_COMMENTS = atom({ mayComment: false });

export function useMayComment(): boolean {
  const comments = useValue(usePage().commentsAtom);
  return useValue<{ readonly mayComment: boolean }>(comments?.viewAtom ?? NO_COMMENTS).mayComment;
}
