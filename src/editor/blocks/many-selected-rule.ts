// Draws the selection of many blocks with one rule of CSS in a style sheet of its own, which names them by number: a
// decoration on each would take seconds.
import type { PluginView } from '@tiptap/pm/state';
import { BlockSelection } from './block-selection.ts';

export function manySelectedRule(): PluginView {
  const sheet = new CSSStyleSheet();
  let shown = '';
  const show = (rule: string) => {
    if (rule === shown) return;
    shown = rule;
    sheet.replaceSync(rule);
  };
  document.adoptedStyleSheets.push(sheet);
  return {
    update({ state: { selection } }) {
      if (!(selection instanceof BlockSelection) || !selection.isMany) return show('');
      const { from, to } = selection.blocks;
      // The caret is beside this end (`BlockSelection`), and not drawn.
      const end = selection.isForward ? to : from;
      show(`${numbered(from + 1, to)} { ${SELECTED} } ${numbered(end, end + 1)} { caret-color: transparent; }`);
    },
    destroy() {
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== sheet);
    },
  };
}

/** The blocks with these numbers, both included. */
const numbered = (first: number, last: number) =>
  `.page-body[contenteditable] > .block:nth-child(n + ${first} of .block):nth-child(-n + ${last} of .block)`;

/** The same as `.is-selected` in editor.css. */
const SELECTED =
  'border-radius: var(--r-tag); background-color: var(--block-selection); box-shadow: 0 0 0 3px var(--block-selection);';
