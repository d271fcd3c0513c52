// The label beside the pointer while a row is dragged: which page, and where it would go.
import type { DocumentId } from 'weft-sync/protocol/ids.ts';
import { counted } from '../../lib/text/counted.ts';
import { useTitleReader, useValue, useWorkspace } from '../../state/hooks.ts';
import { countBelow } from '../../state/workspace/tree/page-index.ts';
import { shownTitle } from '../../texts/content-texts.ts';
import type { RowDrag } from './use-row-drag.ts';

export function RowGhost({ drag }: { readonly drag: RowDrag }) {
  const readTitle = useTitleReader();
  const titleOf = (id: DocumentId) => shownTitle(readTitle(id));
  const index = useValue(useWorkspace().indexAtom);
  const parent = drag.goal?.place.parent ?? null;
  return (
    <div className="row-ghost" style={{ left: drag.x + 14, top: drag.y + 10 }} aria-hidden="true">
      <b className="truncate">{titleOf(drag.id)}</b>
      <span className="truncate">
        {drag.goal === null
          ? 'Not here'
          : goalText(parent === null ? null : titleOf(parent), countBelow(index, drag.id))}
      </span>
    </div>
  );
}

function goalText(parent: string | null, pagesInside: number): string {
  const goal = parent === null ? 'To the top level' : `Into “${parent}”`;
  if (pagesInside === 0) return goal;
  return `${goal}, with ${counted(pagesInside, 'page')} inside`;
}
