// The rows of the tree. Only those near the screen are drawn, each at its place from the top. The person's actions on a row are
// handled for all rows together, so that rows need no handlers and do not render again when others change.
import { selectAtom } from 'jotai/utils';
import { atom } from 'jotai/vanilla';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { DocumentId } from 'weft-sync/protocol/ids.ts';
import { usePerson, useValue, useWorkspace } from '../../state/hooks.ts';
import type { OpenWorkspace } from '../../state/workspace/open-workspace.ts';
import { pathTo } from '../../state/workspace/tree/page-index.ts';
import { PHONE, useMedia } from '../../ui/browser/use-media.ts';
import { RowGhost } from './row-ghost.tsx';
import { RowMenu } from './row-menu.tsx';
import { rowOfEvent } from './row-of-event.ts';
import { TreeRow } from './tree-row.tsx';
import { useRowActions } from './use-row-actions.ts';
import { useRowFocus } from './use-row-focus.ts';
import { useRowKeys } from './use-row-keys.ts';
import { useRowPointer } from './use-row-pointer.ts';
import { useRowWindow } from './use-row-window.ts';
import { type VisibleRow as Row, isSameRows, tabStop, visibleRows } from './visible-rows.ts';

/** The height of a row with the 1 px below it: one more than `--row` in page-tree.css. */
const ROW_PX = 31;
const PHONE_ROW_PX = 45;

export type PageTreeProps = {
  /** The page on the screen. */
  readonly current: DocumentId | null;
  /** Null: at a place that the caller chooses. */
  readonly onNewPage: (parent: DocumentId | null) => void;
  readonly onDuplicate: (page: DocumentId) => void;
  /** Lets the person choose a place for a page. */
  readonly onMoveTo: (page: DocumentId) => void;
  /** Calls `move` to move a page below another one or to the top, at once or after a question. */
  readonly askToMove: (page: DocumentId, parent: DocumentId | null, move: () => void) => void;
  /** Lets the person choose an icon for a page. */
  readonly onChooseIcon: (page: DocumentId) => void;
  readonly onCopyLink: (page: DocumentId) => void;
  /** Called when the person chose a page, so that a drawer closes. */
  readonly onChosen: () => void;
};

type OpenMenu = { readonly id: DocumentId; readonly anchor: Element };

export function TreeRows(props: PageTreeProps) {
  const { current, onNewPage, onDuplicate, askToMove, onChosen } = props;
  const workspace = useWorkspace();
  const rows = useRows(workspace);
  const tree = useRef<HTMLDivElement>(null);
  const rowHeight = useMedia(PHONE) ? PHONE_ROW_PX : ROW_PX;
  const { first, end } = useRowWindow(tree, rowHeight);
  const { focused, setFocused, rowOf, scrollTo, focus } = useRowFocus(tree, rows, rowHeight);
  const [menu, setMenu] = useState<OpenMenu | null>(null);
  const openMenu = (id: DocumentId) => {
    const anchor = tree.current?.querySelector(`[data-act="menu"][data-page="${id}"]`) ?? null;
    if (anchor !== null) setMenu({ id, anchor });
  };
  const actions = useRowActions({ rows, onNewPage, askToMove, focus, focusTree: () => tree.current?.focus() });
  const { renamed } = actions;
  const onKeyDown = useRowKeys({ rows, actions, focus, duplicate: onDuplicate });
  const { clicked, drag, handlers } = useRowPointer({ tree, rows, rowHeight, actions, openMenu, onChosen });
  useShownRow(current, workspace, scrollTo);

  const stop = tabStop(rows, focused, current);
  const isDrawn = (at: number, id: DocumentId) =>
    (at >= first && at < end) || id === stop || id === renamed || id === menu?.id;
  return (
    <>
      <div
        ref={tree}
        role="treegrid"
        aria-label="Pages"
        aria-rowcount={rows.length}
        className="tree-rows"
        style={{ '--rows': rows.length }}
        data-dragging={drag !== null || undefined}
        tabIndex={-1}
        onFocus={(event) => {
          const row = rowOfEvent(event);
          if (row !== null) setFocused(row);
        }}
        onKeyDown={onKeyDown}
        {...handlers}
      >
        {rows.map(
          (row, at) =>
            isDrawn(at, row.id) && (
              <TreeRow
                key={row.id}
                {...row}
                at={at}
                isClicked={row.id === clicked}
                isCurrent={row.id === current}
                isStop={row.id === stop}
                isDragged={row.id === drag?.id}
                isGoal={drag?.goal?.line === null && drag.goal.place.parent === row.id}
                isMenuOpen={row.id === menu?.id}
                onRenamed={row.id === renamed ? (title) => actions.endRenaming(row.id, title) : null}
              />
            ),
        )}
        {drag?.goal?.line != null && (
          <div className="tree-line" style={{ '--at': drag.goal.line.above, '--depth': drag.goal.line.depth }} />
        )}
      </div>
      {drag !== null && <RowGhost drag={drag} />}
      {menu !== null && (
        <RowMenu
          {...props}
          {...menu}
          actions={actions}
          returnFocusTo={() => (renamed === null ? rowOf(menu.id) : null)}
          onClose={() => setMenu(null)}
        />
      )}
      <p role="status" className="sr-only">
        {actions.announcement}
      </p>
    </>
  );
}

/** The rows by their places; the same list while only their contents change. */
function useRows({ indexAtom, closedRows }: OpenWorkspace): readonly Row[] {
  const rowsAtom = useMemo(() => {
    const allAtom = atom((get) => visibleRows(get(indexAtom), get(closedRows.atom)));
    return selectAtom(allAtom, (rows) => rows, isSameRows);
  }, [indexAtom, closedRows]);
  return useValue(rowsAtom);
}

/** Opens the rows above another page on the screen and scrolls to it, as soon as the tree has it. */
function useShownRow(
  current: DocumentId | null,
  { indexAtom, closedRows }: OpenWorkspace,
  scrollTo: (row: DocumentId) => void,
): void {
  const { store } = usePerson();
  const shown = useRef<DocumentId | null>(null);
  const isListedAtom = useMemo(
    () => atom((get) => current !== null && get(indexAtom).pages.has(current)),
    [indexAtom, current],
  );
  const isListed = useValue(isListedAtom);
  useEffect(() => {
    if (!isListed || shown.current === current) return;
    shown.current = current;
    if (current === null) return;
    for (const { id } of pathTo(store.get(indexAtom), current)) closedRows.setOpen(id, true);
    scrollTo(current);
  });
}
