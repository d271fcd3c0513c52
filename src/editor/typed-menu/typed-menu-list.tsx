// Renders the menu below its sign, or above if there is no room. The focus stays in the text.
import type { Editor } from '@tiptap/core';
import { type CSSProperties, Fragment, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react';
import { type MenuEntry, LIST_ID, type OpenMenu, type TypedMenu, entryId } from './typed-menu.ts';

export function TypedMenuList({ editor, menu }: { readonly editor: Editor; readonly menu: TypedMenu }) {
  const open = useSyncExternalStore(menu.subscribe, menu.get);
  return open === null ? null : <List editor={editor} menu={menu} open={open} />;
}

type ListProps = { readonly editor: Editor; readonly menu: TypedMenu; readonly open: OpenMenu };

function List({ editor, menu, open }: ListProps) {
  const list = useRef<HTMLDivElement>(null);
  const [place, setPlace] = useState<CSSProperties>({ visibility: 'hidden' });
  useLayoutEffect(() => {
    const put = () => {
      if (list.current !== null) setPlace(placeOf(editor, open.range.from, list.current));
    };
    put();
    // Remote edits can move the sign without a React render.
    editor.on('transaction', put);
    window.addEventListener('resize', put);
    window.visualViewport?.addEventListener('resize', put);
    return () => {
      editor.off('transaction', put);
      window.removeEventListener('resize', put);
      window.visualViewport?.removeEventListener('resize', put);
    };
  }, [editor, open]);
  useLayoutEffect(() => {
    const line = document.getElementById(entryId(open.at));
    const box = list.current;
    if (line === null || box === null) return;
    // Scrolls only the list. `scrollIntoView` would also scroll the page, to where the list was before it was
    // positioned.
    const [above, below] = [line.offsetTop - EDGE, line.offsetTop + line.offsetHeight + EDGE - box.clientHeight];
    if (box.scrollTop > above) box.scrollTop = above;
    else if (box.scrollTop < below) box.scrollTop = below;
  });
  return (
    <div
      ref={list}
      id={LIST_ID}
      className="pop menu typed-menu"
      role="listbox"
      aria-label={open.label}
      style={place}
      // A click must not take the focus from the text.
      onMouseDown={(event) => event.preventDefault()}
    >
      {groupsOf(open.entries).map(({ group, from, entries }) => (
        <Fragment key={`${group}-${from}`}>
          {group === '' && <hr role="presentation" />}
          {group !== null && group !== '' && (
            <p className="menu-label" role="presentation">
              {group}
            </p>
          )}
          {entries.map((entry, index) => (
            <Line key={entry.id} entry={entry} at={from + index} isOn={from + index === open.at} menu={menu} />
          ))}
        </Fragment>
      ))}
    </div>
  );
}

type LineProps = { readonly entry: MenuEntry; readonly at: number; readonly isOn: boolean; readonly menu: TypedMenu };

function Line({ entry, at, isOn, menu }: LineProps) {
  return (
    <button
      type="button"
      tabIndex={-1}
      id={entryId(at)}
      className="menu-item"
      role="option"
      aria-selected={isOn}
      data-highlighted={isOn ? '' : undefined}
      // If the list opens or scrolls under a resting pointer, that is not a choice.
      onMouseMove={({ movementX, movementY }) => (movementX !== 0 || movementY !== 0) && menu.highlight(at)}
      onClick={() => menu.choose(at)}
    >
      {entry.icon}
      <span className="truncate">{entry.name}</span>
      {entry.hint !== '' && <span className="menu-hint">{entry.hint}</span>}
    </button>
  );
}

type Group = { readonly group: string | null; readonly from: number; readonly entries: MenuEntry[] };

/** Consecutive entries of one group, with the index of the first. */
function groupsOf(entries: readonly MenuEntry[]): readonly Group[] {
  const groups: Group[] = [];
  for (const [at, entry] of entries.entries()) {
    const last = groups.at(-1);
    if (last !== undefined && last.group === entry.group) last.entries.push(entry);
    else groups.push({ group: entry.group, from: at, entries: [entry] });
  }
  return groups;
}

const GAP = 6;
/** The padding around the lines of the list. */
const EDGE = 5;
/** The height of the page's bar at the top of the window. */
const TOP_BAR = 48;
const MAX_HEIGHT = 336;

function placeOf({ view }: Editor, at: number, list: HTMLElement): CSSProperties {
  const frame = list.offsetParent?.getBoundingClientRect();
  if (frame === undefined) return { visibility: 'hidden' };
  const sign = view.coordsAtPos(at, 1);
  const height = Math.min(list.scrollHeight, MAX_HEIGHT);
  // On phones the format bar sits on top of the keyboard.
  const foot = document.querySelector('.format-bar')?.clientHeight ?? 0;
  const bottom = (window.visualViewport?.height ?? window.innerHeight) - foot - GAP;
  const [below, above] = [bottom - sign.bottom - GAP, sign.top - GAP - TOP_BAR];
  const isBelow = below >= height || below >= above;
  const maxHeight = Math.max(120, Math.min(MAX_HEIGHT, isBelow ? below : above));
  const width = list.offsetWidth;
  const left = Math.max(GAP, Math.min(sign.left, window.innerWidth - width - GAP)) - frame.left;
  const top = (isBelow ? sign.bottom + GAP : sign.top - GAP - Math.min(height, maxHeight)) - frame.top;
  return { left, top, maxHeight };
}
