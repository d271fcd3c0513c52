// Threads about words of an opened page, in the browser.
import { commentMarksOf } from '../../../src/editor/comments/editor-comments.ts';
import type { Anchor } from '../../../src/protocol/comments.ts';
import type { ThreadId } from '../../../src/protocol/ids.ts';
import { newThreadId } from '../../../src/protocol/new-ids.ts';
import type { OpenedPage } from './opened-page.ts';

export function commentedPage(page: OpenedPage) {
  const { editor } = page;
  const marks = commentMarksOf(page);
  const names = new Map<ThreadId, string>();
  const shown: { readonly id: ThreadId; readonly anchor: Anchor }[] = [];
  const add = (name: string, anchor: Anchor): ThreadId => {
    const id = newThreadId();
    names.set(id, name);
    shown.push({ id, anchor });
    marks.show(shown);
    return id;
  };
  return {
    marks,
    /** Selects the first place where the page has this text; the selection may go on into the next block. */
    select(text: string) {
      const [first = '', last = first] = text.split('|');
      editor.commands.setTextSelection({ from: positionOf(page, first), to: positionOf(page, last) + last.length });
      editor.view.focus();
    },
    /** A new thread about the selection, by a name. */
    comment(name: string): ThreadId {
      const anchor = marks.anchorOfSelection();
      if (anchor === null) throw new Error('the selection has no anchor');
      return add(name, anchor);
    },
    add,
    resolve(thread: ThreadId) {
      shown.splice(
        shown.findIndex(({ id }) => id === thread),
        1,
      );
      marks.show(shown);
    },
    /** What is marked, by the names of the threads: the words, `[block]` with its text, or `[gone]`. */
    marked(): Readonly<Record<string, string>> {
      const found: Record<string, string> = {};
      for (const element of editor.view.dom.querySelectorAll<HTMLElement>('[data-thread], [data-draft]')) {
        const name = shown.find(({ id }) => id === element.dataset['thread']);
        const key = name === undefined ? 'draft' : (names.get(name.id) ?? '');
        const words = element.matches('.commented-gone') ? '[gone]' : (element.textContent ?? '');
        found[key] = (found[key] ?? '') + (element.matches('.commented-block') ? `[block] ${words}`.trim() : words);
      }
      return found;
    },
    element: (name: string): HTMLElement => {
      const id = [...names].find(([, one]) => one === name)?.[0];
      const element = editor.view.dom.querySelector<HTMLElement>(`[data-thread="${id}"]`);
      if (element === null) throw new Error(`nothing is marked for ${name}`);
      return element;
    },
  };
}

function positionOf({ editor }: OpenedPage, text: string): number {
  let found = -1;
  editor.state.doc.descendants((node, at) => {
    const offset = node.isTextblock ? node.textContent.indexOf(text) : -1;
    if (found < 0 && offset >= 0) found = at + 1 + offset;
    return found < 0;
  });
  if (found < 0) throw new Error(`the page has no “${text}”`);
  return found;
}
