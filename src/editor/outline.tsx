// The page's headings beside it on wide screens; the one that is read is marked. Narrow screens have them in the page's menu.
import type { Editor } from '@tiptap/core';
import { useEffect, useState } from 'react';
import { type PageHeading, currentHeading, goToHeading, headingsOf } from './headings.ts';
import './outline.css';

/** Headings change seldom; the page is looked through when typing rests. */
const REST_MS = 300;

export function Outline({ editor }: { readonly editor: Editor }) {
  const { headings, at } = useOutline(editor);
  if (headings.length === 0) return null;
  return (
    <nav className="outline" aria-label="On this page">
      <ol>
        {headings.map((heading, index) => (
          // Two headings may have the same words; their order is what tells them apart.
          <li key={index} data-level={heading.level}>
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
          </li>
        ))}
      </ol>
    </nav>
  );
}

type State = { readonly headings: readonly PageHeading[]; readonly at: number };

function useOutline(editor: Editor): State {
  const [state, setState] = useState<State>(() => ({ headings: headingsOf(editor), at: -1 }));
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let frame = 0;
    const put = (next: State) => setState((before) => (isSame(before, next) ? before : next));
    const read = () => {
      timer = undefined;
      if (editor.isDestroyed) return;
      const headings = headingsOf(editor);
      put({ headings, at: currentHeading(editor, headings) });
    };
    const onTransaction = ({ transaction }: { transaction: { docChanged: boolean } }) => {
      if (transaction.docChanged) timer ??= setTimeout(read, REST_MS);
    };
    const onScroll = () => {
      frame ||= requestAnimationFrame(() => {
        frame = 0;
        read();
      });
    };
    editor.on('transaction', onTransaction);
    window.addEventListener('scroll', onScroll, { passive: true, capture: true });
    onScroll();
    return () => {
      clearTimeout(timer);
      cancelAnimationFrame(frame);
      editor.off('transaction', onTransaction);
      window.removeEventListener('scroll', onScroll, { capture: true });
    };
  }, [editor]);
  return state;
}

/** Places move with every letter above; what is drawn does not. */
const isSame = (a: State, b: State): boolean =>
  a.at === b.at &&
  a.headings.length === b.headings.length &&
  a.headings.every(({ text, level }, index) => b.headings[index]?.text === text && b.headings[index].level === level);
