// The dot of a page that others changed since this person visited it; a ring if that happened below a closed row.
import { selectAtom } from 'jotai/utils';
import { useMemo } from 'react';
import type { DocumentId } from 'weft-sync/protocol/ids.ts';
import { useValue, useWorkspace } from '../../state/hooks.ts';

type UnreadMarkProps = { readonly id: DocumentId; readonly isClosed: boolean };

export function UnreadMark({ id, isClosed }: UnreadMarkProps) {
  const { unreadAtom } = useWorkspace();
  const markAtom = useMemo(
    () =>
      selectAtom(unreadAtom, ({ pages, above }) =>
        pages.has(id) ? 'unread' : isClosed && above.has(id) ? 'unread-inside' : null,
      ),
    [unreadAtom, id, isClosed],
  );
  const mark = useValue(markAtom);
  if (mark === null) return null;
  const label = mark === 'unread' ? 'Changed since your last visit' : 'Changes inside';
  return <span className="row-mark" data-mark={mark} role="img" aria-label={label} title={label} />;
}
