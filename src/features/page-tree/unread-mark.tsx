// The dot of a page that others changed since this person visited it, or that has comments they have not read; a ring if that
// happened below a closed row.
import { selectAtom } from 'jotai/utils';
import type { Atom } from 'jotai/vanilla';
import { useMemo } from 'react';
import type { DocumentId } from 'weft-sync/protocol/ids.ts';
import { useValue, useWorkspace } from '../../state/hooks.ts';
import type { Unread } from '../../state/workspace/tree/unread.ts';

type UnreadMarkProps = { readonly id: DocumentId; readonly isClosed: boolean };

const TEXTS = {
  here: ['Changed since your last visit', 'Unread comments'],
  inside: ['Changes inside', 'Unread comments inside'],
} as const;

export function UnreadMark({ id, isClosed }: UnreadMarkProps) {
  const { unreadAtom, unreadCommentsAtom } = useWorkspace();
  const places = [usePlace(unreadAtom, id), usePlace(unreadCommentsAtom, id)];
  const place = places.includes('here') ? 'here' : 'inside';
  const label = TEXTS[place].filter((_, at) => places[at] === place).join('. ');
  if (label === '' || (place === 'inside' && !isClosed)) return null;
  const mark = place === 'here' ? 'unread' : 'unread-inside';
  return <span className="row-mark" data-mark={mark} role="img" aria-label={label} title={label} />;
}

/** Whether something is unread on a page, or only below it. */
function usePlace(unreadAtom: Atom<Unread>, id: DocumentId): keyof typeof TEXTS | null {
  const placeAtom = useMemo(
    () => selectAtom(unreadAtom, ({ pages, above }) => (pages.has(id) ? 'here' : above.has(id) ? 'inside' : null)),
    [unreadAtom, id],
  );
  return useValue(placeAtom);
}
