// Fills a new page with blocks or with the content of a page file: one edit that replaces the initial empty block.
import * as Y from 'yjs';
import { attributesOf } from '../blocks/block-attributes.ts';
import type { Alignment, Run } from '../blocks/block.ts';
import type { DetachedBlock } from '../blocks/detached-block.ts';
import { markAttributes } from '../blocks/mark-attributes.ts';
import { CELL, ROW, bodyOf, titleOf } from '../names.ts';
import { newBlockId } from '../new-block-id.ts';
import { setAttribute } from '../set-attribute.ts';
import { cleanTitle } from '../title.ts';
import { isBlankBlock } from './is-blank-block.ts';

export function fillPage(doc: Y.Doc, title: string, elements: readonly Y.XmlElement[]): void {
  doc.transact(() => {
    const body = bodyOf(doc);
    const text = titleOf(doc);
    if (text.length === 0) text.insert(0, cleanTitle(title).trim());
    const isBlank = body.length === 1 && isBlankBlock(body.get(0));
    body.insert(body.length, Array.from(elements));
    // A page without any block would have no place for the caret.
    if (isBlank && elements.length > 0) body.delete(0, 1);
  });
}

/** Every element gets a new id. */
export const elementsOfBlocks = (blocks: readonly DetachedBlock[]): readonly Y.XmlElement[] => blocks.map(elementOf);

function elementOf(block: DetachedBlock): Y.XmlElement {
  const element = new Y.XmlElement(block.type);
  setAttribute(element, 'id', newBlockId());
  for (const [name, value] of Object.entries(attributesOf(block))) {
    if (value !== null) setAttribute(element, name, value);
  }
  const children = childrenOf(block);
  if (children.length > 0) element.insert(0, children);
  return element;
}

function childrenOf(block: DetachedBlock): (Y.XmlElement | Y.XmlText)[] {
  switch (block.type) {
    case 'block':
      return [textOf(block.runs, block.kind === 'code')];
    case 'image':
      return [textOf(block.runs, false)];
    case 'math':
      return [textOf([{ text: block.tex }], true)];
    case 'table':
      return block.rows.map((row, y) =>
        elementWith(
          ROW,
          row.map((cell, x) =>
            y === 0
              ? cellOf(cell.runs, { width: block.widths?.[x], align: block.alignments?.[x] })
              : cellOf(cell.runs, {}),
          ),
        ),
      );
    case 'divider':
    case 'file':
    case 'embed':
    case 'subpages':
      return [];
  }
}

/** The cells of the first row store what belongs to their columns. */
type ColumnAttributes = { readonly width?: number | null | undefined; readonly align?: Alignment | null | undefined };

function cellOf(runs: readonly Run[], { width = null, align = null }: ColumnAttributes): Y.XmlElement {
  const cell = elementWith(CELL, [textOf(runs, false)]);
  if (width !== null) setAttribute(cell, 'width', width);
  if (align !== null) setAttribute(cell, 'align', align);
  return cell;
}

function elementWith(name: string, children: (Y.XmlElement | Y.XmlText)[]): Y.XmlElement {
  const element = new Y.XmlElement(name);
  if (children.length > 0) element.insert(0, children);
  return element;
}

/** Creates an empty text too, so that two people who start typing in it share one text. */
function textOf(runs: readonly (Run | { readonly text: string })[], plain: boolean): Y.XmlText {
  const text = new Y.XmlText();
  const delta = runs
    .filter((run) => run.text !== '')
    .map((run) => ({ insert: run.text, attributes: 'bold' in run && !plain ? markAttributes(run) : {} }));
  text.applyDelta(delta);
  return text;
}
