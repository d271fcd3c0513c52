// Copying and pasting. What is pasted goes through plain blocks, so nothing but words and known marks comes in.
import { Extension } from '@tiptap/core';
import { DOMSerializer, type Fragment } from '@tiptap/pm/model';
import { Plugin } from '@tiptap/pm/state';
import type { EditorView } from '@tiptap/pm/view';
import type * as Y from 'yjs';
import { PLAIN, type Run, parseStyle } from '../document/block.ts';
import { textOfBlocks } from '../document/body-text.ts';
import { parseLinkUrl } from '../document/link-url.ts';
import { asOneStep } from '../document/undo.ts';
import type { Session } from '../sync/session-api.ts';
import { isCode } from './block-at.ts';
import { startEmptyPage } from './block-commands.ts';
import { htmlOfBlocks } from './copied-html.ts';
import { blocksInsertion, textInsertion } from './insert-blocks.ts';
import { blocksOfFragment } from './node-blocks.ts';
import { type Pasted, pastedBlocks } from './pasted-blocks.ts';

export const clipboard = (undo: Y.UndoManager, session: Session) =>
  Extension.create({
    name: 'clipboard',
    addProseMirrorPlugins() {
      const { schema } = this.editor;
      return [
        new Plugin({
          props: {
            clipboardSerializer: new HtmlSerializer(
              DOMSerializer.nodesFromSchema(schema),
              DOMSerializer.marksFromSchema(schema),
            ),
            clipboardTextSerializer: (slice) => textOfBlocks(blocksOfFragment(slice.content)),
            handlePaste: (view, event) => paste(view, event, undo, session),
          },
        }),
      ];
    },
  });

class HtmlSerializer extends DOMSerializer {
  override serializeFragment(
    fragment: Fragment,
    _options?: object,
    target?: HTMLElement | DocumentFragment,
  ): HTMLElement | DocumentFragment {
    const html = htmlOfBlocks(blocksOfFragment(fragment));
    if (target === undefined) return html;
    target.append(html);
    return target;
  }
}

function paste(view: EditorView, event: ClipboardEvent, undo: Y.UndoManager, session: Session): boolean {
  const data = event.clipboardData;
  if (data === null || !view.editable) return false;
  const text = data.getData('text/plain').replace(/\r\n?/g, '\n');
  const html = data.getData('text/html');
  startEmptyPage(view.state, view.dispatch);
  const { $from, empty } = view.state.selection;
  const url = pastedUrl(text);
  if (url !== null && !empty && !isCode($from.parent)) {
    asOneStep(undo, () => linkSelection(view, url));
    return true;
  }
  const insertion = isCode($from.parent)
    ? textInsertion(text)
    : blocksInsertion(view.state.schema, html === '' ? textBlocks(text) : pastedBlocks(bodyOf(html)));
  // As a whole or not at all: half a paste on a full page would be worse than none.
  if (session.mayGrow(insertion.bytes)) asOneStep(undo, () => insertion.insertInto(view));
  return true;
}

const bodyOf = (html: string) => new DOMParser().parseFromString(html, 'text/html').body;

/** Lines become blocks; an address alone becomes a link. */
export function textBlocks(text: string): readonly Pasted[] {
  const lines = text.split('\n');
  if (lines.length > 1 && lines.at(-1) === '') lines.pop();
  return lines.map((line) => {
    const link = pastedUrl(line);
    const runs: readonly Run[] = line === '' ? [] : [{ ...PLAIN, text: line, link }];
    return { type: 'block', ...parseStyle({}), runs };
  });
}

const pastedUrl = (text: string): string | null =>
  /^(?:https?:\/\/|mailto:)\S+$/i.test(text.trim()) ? parseLinkUrl(text.trim()) : null;

function linkSelection(view: EditorView, href: string): void {
  const { state } = view;
  const { from, to } = state.selection;
  view.dispatch(state.tr.addMark(from, to, state.schema.mark('link', { href })));
}
