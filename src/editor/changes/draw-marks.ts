// The marks of the changes since a visit, as decorations of the editor. They do not touch the document.
import type { Node } from '@tiptap/pm/model';
import { Decoration, DecorationSet } from '@tiptap/pm/view';
import type { Block } from 'weft-document/blocks/block.ts';
import type { ChangeMark } from 'weft-document/changes/change-steps.ts';
import { OWN_TEXT, cellPart } from 'weft-document/changes/text-part.ts';
import { isCode } from '../schema/block-at.ts';
import { goneLabel } from './gone-text.ts';
import type { ShownChanges } from './shown-changes.ts';

/** `blocks` are the page's blocks, one for each child of `doc`. */
export function drawMarks(
  doc: Node,
  blocks: readonly Block[],
  { marks, labels, current }: ShownChanges,
): DecorationSet {
  const decorations: Decoration[] = [];
  doc.forEach((node, at, index) => {
    const key = blocks[index]?.key ?? '';
    const here = marks.get(key);
    if (here === undefined || here.length === 0) return;
    const isOpaque = isCode(node);
    const whole = here.find(({ type }) => isOpaque || type === 'block');
    const label = labels.get(key);
    decorations.push(
      Decoration.node(at, at + node.nodeSize, {
        ...(label !== undefined && { 'data-when': label }),
        ...(whole !== undefined && stepAttributes(whole.step, current)),
      }),
    );
    const starts = isOpaque ? new Map<string, number>() : textStarts(node, at);
    for (const mark of here) decorations.push(...drawMark(mark, { node, at, starts, current }));
  });
  return DecorationSet.create(doc, decorations);
}

const stepAttributes = (step: number, current: number | null) => ({
  'data-step': String(step),
  ...(step === current && { 'data-current': '' }),
});

type Place = {
  readonly node: Node;
  readonly at: number;
  /** The start of each text of the block. */
  readonly starts: ReadonlyMap<string, number>;
  readonly current: number | null;
};

function drawMark(mark: ChangeMark, { node, at, starts, current }: Place): readonly Decoration[] {
  switch (mark.type) {
    case 'block':
      return [];
    case 'goneBlocks':
      return [
        Decoration.widget(mark.isAfter ? at + node.nodeSize : at, () => goneElement(mark, current, 'div'), {
          side: mark.isAfter ? 1 : -1,
          key: `gone ${mark.step} ${mark.step === current}`,
        }),
      ];
    case 'gone': {
      const start = starts.get(mark.part);
      if (start === undefined) return [];
      return [
        Decoration.widget(start + mark.at, () => goneElement(mark, current, 'span'), {
          side: -1,
          ignoreSelection: true,
          key: `gone ${mark.step} ${mark.step === current}`,
        }),
      ];
    }
    case 'text': {
      const start = starts.get(mark.part);
      if (start === undefined) return [];
      const attributes = { class: 'since', ...stepAttributes(mark.step, current) };
      return [Decoration.inline(start + mark.from, start + mark.to, attributes)];
    }
  }
}

function textStarts(node: Node, at: number): ReadonlyMap<string, number> {
  if (node.isTextblock) return new Map([[OWN_TEXT, at + 1]]);
  const starts = new Map<string, number>();
  node.forEach((row, rowAt, y) => {
    row.forEach((_cell, cellAt, x) => starts.set(cellPart(y, x), at + 1 + rowAt + 1 + cellAt + 1));
  });
  return starts;
}

/** The same elements as `GoneTag` in `static-marks.tsx`. */
function goneElement(
  mark: Extract<ChangeMark, { readonly type: 'gone' | 'goneBlocks' }>,
  current: number | null,
  name: 'div' | 'span',
): HTMLElement {
  const host = document.createElement(name);
  host.contentEditable = 'false';
  if (name === 'div') host.className = 'gone-blocks';
  const tag = document.createElement('button');
  tag.type = 'button';
  tag.className = 'gone';
  for (const [attribute, value] of Object.entries(stepAttributes(mark.step, current)))
    tag.setAttribute(attribute, value);
  tag.setAttribute('aria-expanded', 'false');
  tag.textContent = goneLabel(mark);
  const text = document.createElement('del');
  text.className = 'gone-text';
  text.dir = 'auto';
  text.textContent = mark.text;
  tag.addEventListener('click', () => {
    const isOpen = !text.isConnected;
    if (isOpen) host.append(text);
    else text.remove();
    tag.setAttribute('aria-expanded', String(isOpen));
  });
  host.append(tag);
  return host;
}
