// Says when the server rejected a change of the page tree that was already shown.
import { useEffect } from 'react';
import { usePerson, useValue, useWorkspace } from '../../state/hooks.ts';
import type { RefusedChange } from '../../state/workspace/pending/page-changes.ts';
import { shownTitle } from '../../texts/content-texts.ts';
import { textOf } from '../../texts/error-texts.ts';
import { toast } from '../../ui/floating/toast.tsx';

/** The component mounts again with each workspace, and `refusedAtom` still has the newest refusal. */
let said: RefusedChange | null = null;

export function RefusedChanges() {
  const { pageChanges, store } = usePerson();
  const { indexAtom } = useWorkspace();
  const refused = useValue(pageChanges.refusedAtom);
  useEffect(() => {
    if (refused === null || refused === said) return;
    said = refused;
    toast(refusalText(refused, store.get(indexAtom).pages.get(refused.change.page)?.title ?? ''));
  }, [refused, store, indexAtom]);
  return null;
}

function refusalText({ change, error }: RefusedChange, title: string): string {
  const name = `“${shownTitle(title)}”`;
  const what = {
    move: `${name} is back in its place.`,
    icon: `${name} keeps its icon.`,
    template: `${name} wasn’t changed.`,
    trash: `${name} wasn’t moved to trash.`,
    favourite: `Your favourites weren’t changed.`,
  }[change.kind];
  return `${what} ${textOf(error)}`;
}
