// The page's headings beside it on wide screens, with the current one highlighted and the people whose carets are below
// each. On narrow screens they are in the page's menu.
import type { Editor } from '@tiptap/core';
import { useEffect, useState } from 'react';
import type { UserId } from 'weft-sync/protocol/ids.ts';
import type { Awareness } from 'y-protocols/awareness';
import { PresenceTicks } from '../../ui/people/presence-ticks.tsx';
import type { ProfilesById } from '../carets/caret-layer.ts';
import { remotePositions } from '../carets/remote-carets.ts';
import { type PageHeading, currentHeading, goToHeading, headingsOf } from './headings.ts';
import { listedHeadings } from './listed-headings.ts';
import './outline.css';

/** This long after an edit the page is scanned, once for all edits until then: headings rarely change. */
const SCAN_AFTER_MS = 300;

type OutlineProps = { readonly editor: Editor; readonly awareness: Awareness; readonly people: ProfilesById };

export function Outline({ editor, awareness, people }: OutlineProps) {
  const { headings, at, here } = useOutline(editor, awareness);
  const ticks = (users: readonly UserId[]) =>
    users.flatMap((user) => {
      const person = people.get(user);
      return person === undefined ? [] : [{ id: user, name: person.displayName, color: person.color }];
    });
  if (headings.length === 0) return null;
  const { listed, more } = listedHeadings(headings);
  return (
    <nav className="outline" aria-label="On this page">
      <ol>
        {listed.map((heading, index) => (
          // Two headings may have the same text, so the key is their index.
          <li key={index} data-level={heading.level} data-here={here[index]?.length || undefined}>
            <button
              type="button"
              aria-current={index === at ? 'location' : undefined}
              title={heading.text}
              onClick={() => {
                const now = headingsOf(editor)[index];
                if (now !== undefined) goToHeading(editor, now);
              }}
            >
              {heading.text}
            </button>
            <PresenceTicks people={ticks(here[index] ?? [])} />
          </li>
        ))}
      </ol>
      {more !== null && <p className="outline-more">{more}</p>}
    </nav>
  );
}

type State = {
  readonly headings: readonly PageHeading[];
  readonly at: number;
  /** The users whose caret is below each heading. */
  readonly here: readonly (readonly UserId[])[];
};

function useOutline(editor: Editor, awareness: Awareness): State {
  const [state, setState] = useState<State>(() => ({ headings: headingsOf(editor), at: -1, here: [] }));
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let frame = 0;
    const update = (next: State) => setState((before) => (isSame(before, next) ? before : next));
    const read = () => {
      timer = undefined;
      if (editor.isDestroyed) return;
      const headings = headingsOf(editor);
      const at = currentHeading(editor, listedHeadings(headings).listed);
      update({ headings, at, here: peopleBelow(editor, headings, awareness) });
    };
    const readSoon = () => void (timer ??= setTimeout(read, SCAN_AFTER_MS));
    const onTransaction = ({ transaction }: { transaction: { docChanged: boolean } }) => {
      if (transaction.docChanged) readSoon();
    };
    const onScroll = () => {
      frame ||= requestAnimationFrame(() => {
        frame = 0;
        read();
      });
    };
    editor.on('transaction', onTransaction);
    awareness.on('change', readSoon);
    window.addEventListener('scroll', onScroll, { passive: true, capture: true });
    onScroll();
    return () => {
      clearTimeout(timer);
      cancelAnimationFrame(frame);
      editor.off('transaction', onTransaction);
      awareness.off('change', readSoon);
      window.removeEventListener('scroll', onScroll, { capture: true });
    };
  }, [editor, awareness]);
  return state;
}

function peopleBelow({ state }: Editor, headings: readonly PageHeading[], awareness: Awareness) {
  const here = headings.map(() => new Set<UserId>());
  for (const { user, head } of remotePositions(awareness, state)) {
    here[headings.findLastIndex(({ at }) => at <= head)]?.add(user);
  }
  return here.map((users) => [...users].sort());
}

/** Positions change with every character typed above, but nothing that is drawn does. */
const isSame = (a: State, b: State): boolean =>
  a.at === b.at &&
  a.headings.length === b.headings.length &&
  a.headings.every(({ text, level }, index) => b.headings[index]?.text === text && b.headings[index].level === level) &&
  a.here.join(';') === b.here.join(';');
