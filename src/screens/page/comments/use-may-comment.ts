// Whether this person may comment on the open page. False until the code for comments is loaded; from then on by their role, even
// before the list is here.
import { atom } from 'jotai/vanilla';
import { usePage, useValue } from '../../../state/hooks.ts';

const NO_COMMENTS = atom({ mayComment: false });

export function useMayComment(): boolean {
  const comments = useValue(usePage().commentsAtom);
  return useValue<{ readonly mayComment: boolean }>(comments?.viewAtom ?? NO_COMMENTS).mayComment;
}
