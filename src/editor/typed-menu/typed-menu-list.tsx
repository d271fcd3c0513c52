// Renders the menu below its sign, or above if there is no room. The focus stays in the text.
import type { Editor } from '@tiptap/core';
import { Fragment, useLayoutEffect, useSyncExternalStore } from 'react';
import type { FloatOptions, FloatAnchor } from '../floating/float-at-text.ts';
import { useFloatAtText } from '../floating/use-float-at-text.ts';
import { type MenuEntry, LIST_ID, type OpenMenu, type TypedMenu, entryId } from './typed-menu.ts';
import { typedRangeOf } from './typed-range.ts';

export function TypedMenuList({ editor, menu }: { readonly editor: Editor; readonly menu: TypedMenu }) {
  const open = useSyncExternalStore(menu.subscribe, menu.get);
  return open === null ? null : <List editor={editor} menu={menu} open={open} />;
}

type ListProps = { readonly editor: Editor; readonly menu: TypedMenu; readonly open: OpenMenu };

function List({ editor, menu, open }: ListProps) {
  const list = useFloatAtText(editor, AT_SIGN);
  useLayoutEffect(() => {
    const line = document.getElementById(entryId(open.at));
    const box = line?.parentElement;
    if (line === null || box == null) return;
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
      className="at-text pop menu typed-menu"
      role="listbox"
      aria-label={open.label}
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
      <span className="truncate" dir="auto">
        {entry.name}
      </span>
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

/** The padding around the lines of the list. */
const EDGE = 5;

const AT_SIGN: FloatOptions = { anchorOf: signAnchor };

/** The sign that opened the menu. */
function signAnchor({ state, view }: Editor): FloatAnchor | null {
  const range = typedRangeOf(state);
  if (range === null) return null;
  const { left, top, bottom } = view.coordsAtPos(range.from, 1);
  const { node } = view.domAtPos(range.from);
  const element = node instanceof Element ? node : node.parentElement;
  const isRtl = element?.matches(':dir(rtl)') === true;
  return { box: new DOMRect(left, top, 0, bottom - top), placement: isRtl ? 'bottom-end' : 'bottom-start' };
}
