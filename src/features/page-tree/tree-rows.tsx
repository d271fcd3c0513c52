// The rows of the tree. Only those near the screen are drawn, each at its place from the top. The person's actions on a row are
// handled here, so that rows need no handlers and do not render again when others change.
import { selectAtom } from 'jotai/utils';
import { atom } from 'jotai/vanilla';
import { type KeyboardEvent, type MouseEvent, type PointerEvent, useEffect, useMemo, useRef, useState } from 'react';
import { type DocumentId, parseDocumentId } from 'weft-sync/protocol/ids.ts';
import { usePerson, useValue, useWorkspace } from '../../state/hooks.ts';
import type { OpenWorkspace } from '../../state/workspace/open-workspace.ts';
import { pathTo } from '../../state/workspace/tree/page-index.ts';
import { PHONE, useMedia } from '../../ui/browser/use-media.ts';
import { scrollContainerOf } from '../../ui/browser/scroller-of.ts';
import { dropGoal } from './drop-goal.ts';
import { RowGhost } from './row-ghost.tsx';
import { RowMenu } from './row-menu.tsx';
import { stepOf } from './tree-keys.ts';
import { TreeRow } from './tree-row.tsx';
import { useLongPress } from './use-long-press.ts';
import { useRowActions } from './use-row-actions.ts';
import { useRowDrag } from './use-row-drag.ts';
import { useRowWindow } from './use-row-window.ts';
import { type VisibleRow as Row, isSameRows, tabStop, visibleRows } from './visible-rows.ts';

/** The same number is in page-tree.css. */
const ROW_PX = 31;
const PHONE_ROW_PX = 45;
const INDENT_PX = 16;

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
  const { current, onNewPage, onDuplicate, onChosen } = props;
  const workspace = useWorkspace();
  const { store } = usePerson();
  const rows = useRows(workspace);
  // The index is read in handlers, not while rendering: a change of one page renders its row, not the tree.
  const readIndex = () => store.get(workspace.indexAtom);
  const tree = useRef<HTMLDivElement>(null);
  const rowHeight = useMedia(PHONE) ? PHONE_ROW_PX : ROW_PX;
  const { first, end } = useRowWindow(tree, rowHeight);
  const [focused, setFocused] = useState<DocumentId | null>(null);
  const [menu, setMenu] = useState<OpenMenu | null>(null);
  const [renamed, setRenamed] = useState<DocumentId | null>(null);
  /** The row that was just clicked: its buttons stay away until the pointer moves, because the person is done there. */
  const [clicked, setClicked] = useState<DocumentId | null>(null);
  const stop = tabStop(rows, focused, current);

  const scrollTo = (id: DocumentId) => {
    const at = rows.findIndex((row) => row.id === id);
    if (at >= 0 && tree.current !== null) scrollIntoView(tree.current, at * rowHeight, rowHeight);
  };
  const rowOf = (id: DocumentId | null) => tree.current?.querySelector<HTMLElement>(`[data-row="${id}"]`) ?? null;
  const focus = (id: DocumentId) => {
    setFocused(id);
    scrollTo(id);
    const focusRow = () => rowOf(id)?.focus({ preventScroll: true });
    focusRow();
    // The row may be drawn only after this task.
    requestAnimationFrame(focusRow);
  };

  const { announcement, mayEditPage, move, rename, trash, undo } = useRowActions({
    rows,
    askToMove: props.askToMove,
    focus,
    focusTree: () => tree.current?.focus(),
  });
  const beginRenaming = (id: DocumentId) => {
    if (mayEditPage(id)) setRenamed(id);
  };
  const { drag, start, isClickOfDrag } = useRowDrag({
    tree,
    rowHeight,
    indent: INDENT_PX,
    goalAt: (id, pointer) => dropGoal(rows, readIndex(), id, pointer),
    onDrop: (id, goal) => move(id, goal.place, false),
    onRest: (id) => workspace.closedRows.setOpen(id, true),
  });

  const onClick = (event: MouseEvent<HTMLElement>) => {
    const { act, page } = closestData(event, '[data-act]');
    if (page === null) {
      const row = rowAt(event);
      if (row === null) return;
      setClicked(row);
      return onChosen();
    }
    if (act === 'toggle') workspace.closedRows.setOpen(page, store.get(workspace.closedRows.atom).has(page));
    else if (act === 'menu') openMenu(page);
    else if (act === 'new') addPage(page);
  };
  const addPage = (parent: DocumentId) => {
    workspace.closedRows.setOpen(parent, true);
    onNewPage(parent);
  };
  const openMenu = (id: DocumentId) => {
    const anchor = tree.current?.querySelector(`[data-act="menu"][data-page="${id}"]`) ?? null;
    if (anchor !== null) setMenu({ id, anchor });
  };
  const longPress = useLongPress(openMenu);
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const row = rowAt(event);
    const step = stepOf(rows, readIndex(), row, event);
    if (step === null) return;
    event.preventDefault();
    switch (step.do) {
      case 'focus':
        return focus(step.id);
      case 'open':
      case 'close':
        return workspace.closedRows.setOpen(step.id, step.do === 'open');
      case 'newPage':
        return mayEditPage(step.id) ? addPage(step.id) : undefined;
      case 'rename':
        return beginRenaming(step.id);
      case 'duplicate':
        return onDuplicate(step.id);
      case 'trash':
        return trash(step.id);
      case 'undo':
        return void undo();
      case 'move':
        move(step.id, step.to, true);
        return focus(step.id);
    }
  };

  useShownRow(current, workspace, () => {
    if (current === null) return;
    for (const { id } of pathTo(readIndex(), current)) workspace.closedRows.setOpen(id, true);
    scrollTo(current);
  });

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
        onClickCapture={(event) => {
          if (isClickOfDrag()) event.preventDefault();
        }}
        onClick={(event) => {
          if (!isClickOfDrag()) onClick(event);
        }}
        onContextMenu={(event) => {
          const row = rowAt(event);
          if (row === null) return;
          event.preventDefault();
          longPress.noticed();
          openMenu(row);
        }}
        onFocus={(event) => {
          const row = rowAt(event);
          if (row !== null) setFocused(row);
        }}
        onKeyDown={onKeyDown}
        onPointerMove={() => setClicked(null)}
        onPointerDown={(event: PointerEvent<HTMLElement>) => {
          const row = rowAt(event);
          longPress.start(event, row);
          start(event, row !== null && mayEditPage(row) ? row : null);
        }}
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
                onRenamed={
                  row.id === renamed
                    ? (title) => {
                        setRenamed(null);
                        focus(row.id);
                        if (title !== null) void rename(row.id, title);
                      }
                    : null
                }
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
          id={menu.id}
          anchor={menu.anchor}
          returnFocusTo={() => (renamed === null ? rowOf(menu.id) : null)}
          onClose={() => setMenu(null)}
          rename={beginRenaming}
          duplicate={onDuplicate}
          chooseIcon={props.onChooseIcon}
          moveTo={props.onMoveTo}
          setFavourite={workspace.setFavourite}
          copyLink={props.onCopyLink}
          trash={trash}
        />
      )}
      <p role="status" className="sr-only">
        {announcement}
      </p>
    </>
  );
}

/** Scrolls until the row at `top` px of the tree is on the screen with its neighbour, and not below the tree's header. */
function scrollIntoView(tree: HTMLElement, top: number, rowHeight: number): void {
  const scroller = scrollContainerOf(tree);
  if (scroller === null) return;
  const box = scroller.getBoundingClientRect();
  const rowTop = tree.getBoundingClientRect().top + top;
  const above = box.top + rowHeight - rowTop;
  const below = rowTop + rowHeight - box.bottom;
  if (above > 0) scroller.scrollBy(0, -above);
  else if (below > 0) scroller.scrollBy(0, below + rowHeight);
}

/** The rows by their places; the same list while only their contents change. */
function useRows({ indexAtom, closedRows }: OpenWorkspace): readonly Row[] {
  const rowsAtom = useMemo(() => {
    const allAtom = atom((get) => visibleRows(get(indexAtom), get(closedRows.atom)));
    return selectAtom(allAtom, (rows) => rows, isSameRows);
  }, [indexAtom, closedRows]);
  return useValue(rowsAtom);
}

/** Runs when another page is on the screen, as soon as the tree has it. */
function useShownRow(current: DocumentId | null, { indexAtom }: OpenWorkspace, show: () => void): void {
  const shown = useRef<DocumentId | null>(null);
  const isListedAtom = useMemo(
    () => atom((get) => current !== null && get(indexAtom).pages.has(current)),
    [indexAtom, current],
  );
  const isListed = useValue(isListedAtom);
  useEffect(() => {
    if (!isListed || shown.current === current) return;
    shown.current = current;
    show();
  });
}

const rowAt = (event: { readonly target: EventTarget }) => closestData(event, '[data-row]').row;

function closestData(event: { readonly target: EventTarget }, selector: string) {
  const element = event.target instanceof Element ? event.target.closest<HTMLElement>(selector) : null;
  const { act = null, page = '', row = '' } = element?.dataset ?? {};
  return { act, page: parseDocumentId(page), row: parseDocumentId(row) };
}
