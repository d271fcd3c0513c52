// Opens the app's editor on a session, in the browser, with helpers for typing and for reading the page.
import { onTestFinished } from 'vitest';
import { userEvent } from 'vitest/browser';
import { type Block, textOfRuns } from 'weft-document/blocks/block.ts';
import { textOfBlocks } from 'weft-document/body/body-text.ts';
import { parseBody } from 'weft-document/body/parse-body.ts';
import type { Session } from 'weft-sync/session/session-api.ts';
import { createPageEditor } from '../../../src/editor/create-page-editor.ts';
import type { WritableFiles } from '../../../src/ports/files.ts';
import type { PageSession } from './page-session.ts';
import '../../../src/ui/theme/tokens.css';
import '../../../src/ui/theme/base.css';

export const wait = (ms: number) => new Promise<void>((done) => setTimeout(done, ms));

export function openPage(session: Session, editable = true, files: WritableFiles | null = null) {
  const column = document.body.appendChild(document.createElement('div'));
  column.className = 'page-column';
  const text = column.appendChild(document.createElement('div'));
  text.className = 'page-text';
  const element = text.appendChild(document.createElement('div'));
  const layer = text.appendChild(document.createElement('div'));
  layer.className = 'caret-layer';
  let detachCount = 0;
  const parts = createPageEditor({
    session,
    doc: session.doc,
    element,
    layer,
    editable,
    onDetach: () => (detachCount += 1),
    files,
  });
  let isOpen = true;
  const close = () => {
    if (isOpen) parts.destroy();
    isOpen = false;
    column.remove();
  };
  onTestFinished(close);
  const { editor } = parts;
  return {
    ...parts,
    layer,
    /** Resolves when the whole page is drawn: more than 1,000 blocks are drawn in slices. */
    drawn: () => new Promise<void>((done) => void parts.whenWhole(done)),
    /** How often the editor detached from a document. */
    detachCount: () => detachCount,
    close,
    /** Presses keys in the notation of `userEvent.keyboard`, with the focus in this editor. */
    async press(keys: string) {
      if (!editor.view.hasFocus()) editor.view.focus();
      await userEvent.keyboard(keys);
    },
    /** Puts the caret into the block at `index`, after `offset` characters; counted from the end if negative. */
    caret(index: number, offset: number) {
      let at = 0;
      for (let i = 0; i < index; i++) at += editor.state.doc.child(i).nodeSize;
      const { size } = editor.state.doc.child(index).content;
      editor.commands.setTextSelection(at + 1 + (offset < 0 ? size + 1 + offset : offset));
      editor.view.focus();
    },
    /** Types at the caret without pauses, in one transaction for each character. */
    type(text: string) {
      for (const character of text) editor.view.dispatch(editor.state.tr.insertText(character));
    },
    shown: () => parts.editor.getJSON(),
  };
}
export type OpenedPage = ReturnType<typeof openPage>;

/** One line for each block: its kind, its level or indent if it has one, and its text. */
export const linesOf = (session: Pick<PageSession, 'doc'>): readonly string[] => parseBody(session.doc).map(lineOf);

function lineOf(block: Block): string {
  if (block.type === 'divider') return '---';
  if (block.type === 'unknown') return block.name === null ? `loose ${block.text}` : `unknown ${block.name}`;
  if (block.type !== 'block') return `${block.type} ${textOfBlocks([block])}`.trim();
  const { kind, level, indent, checked, language, tone } = block;
  const more =
    (kind === 'heading' ? String(level) : '') +
    (indent > 0 ? `>${indent}` : '') +
    (kind === 'task' && checked ? 'x' : '') +
    (kind === 'callout' ? `(${tone})` : '') +
    (kind === 'code' && language !== null ? `(${language})` : '');
  const words = block.runs
    .map(({ text, ...marks }) => {
      const names = Object.entries(marks).flatMap(([name, on]) =>
        on === true ? [name] : typeof on === 'string' ? [on] : [],
      );
      return names.length === 0 ? text : `<${names.join()}:${text}>`;
    })
    .join('');
  return `${kind}${more}: ${words}`;
}

/** The text of each block, or the type of a block without text. */
export const textsOf = (session: PageSession): readonly string[] =>
  parseBody(session.doc).map((block) => (block.type === 'block' ? textOfRuns(block.runs) : block.type));

/** Ids of the blocks, in order. */
export const idsOf = (session: PageSession): readonly (string | null)[] =>
  parseBody(session.doc).map((block) => block.id);
