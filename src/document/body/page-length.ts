// Whether a page is too long to be drawn. Anyone who may edit can add any number of blocks with one edit, so a longer page is
// shown as plain text, a part at a time.
import * as Y from 'yjs';
import type { Cancel } from '../../lib/cancel.ts';
import { Subscribable } from '../../lib/subscribable.ts';
import { ROW, TABLE, bodyOf } from '../names.ts';

/**
 * The editor draws a page of at most this many units: blocks, cells (each counts twice), starts and ends of marks. A
 * key in this many blocks takes 100 ms until it is painted, in 36,000 it takes 200 (Chromium 156, 2 busy cores).
 */
export const MAX_EDITOR_UNITS = 20_000;
/** The same for the reading views: React takes 100 ms to look through this many blocks after a change. */
export const MAX_READER_UNITS = 10_000;
export const UNITS_PER_CELL = 2;
/**
 * A code block counts as this many. At each key and each selection the browser walks through the whole page, and a code block has
 * ten elements: to select 2,000 of them takes it 260 ms, 2,000 paragraphs 95 (Chromium 156).
 */
export const UNITS_PER_CODE_BLOCK = 15;

/** `shortened`: it was too long while it was open here and is not any more. */
export type PageLengthState = 'short' | 'long' | 'shortened';

export interface PageLength {
  readonly get: () => PageLengthState;
  /** A shortened page is a short one from now on. */
  readonly reset: () => void;
  readonly subscribe: (run: () => void) => Cancel;
}

const lengths = new WeakMap<Y.Doc, Map<number, PageLength>>();

/** One for each document and limit. Own edits alone never make an open page too long, so writing is not interrupted. */
export function pageLengthOf(doc: Y.Doc, maxUnits: number): PageLength {
  const known = lengths.get(doc)?.get(maxUnits);
  if (known !== undefined) return known;
  const changes = new Subscribable();
  let state: PageLengthState = hasMoreUnits(doc, maxUnits) ? 'long' : 'short';
  const set = (next: PageLengthState) => {
    if (next === state) return;
    state = next;
    changes.notify();
  };
  doc.on('afterTransaction', ({ changed, local }: Y.Transaction) => {
    if (local && state !== 'long') return;
    // Characters alone change too often to count each time.
    if (!Array.from(changed.keys()).some((type: unknown) => type instanceof Y.XmlFragment)) return;
    if (hasMoreUnits(doc, maxUnits)) set('long');
    else if (state === 'long') set('shortened');
  });
  const created: PageLength = {
    get: () => state,
    reset: () => set(state === 'long' ? 'long' : 'short'),
    subscribe: changes.subscribe,
  };
  lengths.set(doc, new Map(lengths.get(doc)).set(maxUnits, created));
  return created;
}

function hasMoreUnits(doc: Y.Doc, max: number): boolean {
  const nodes = bodyOf(doc).toArray();
  let left = max - nodes.length;
  for (const node of nodes) {
    if (left < 0) return true;
    if (!(node instanceof Y.XmlElement)) continue;
    left -= node.nodeName === TABLE ? unitsOfTable(node) : formatsIn(node, left);
    if (node.getAttribute('kind') === 'code') left -= UNITS_PER_CODE_BLOCK - 1;
  }
  return left < 0;
}

/** With the cells that short rows lack: they are drawn too. */
function unitsOfTable(table: Y.XmlElement): number {
  const rows = table.toArray().filter((row) => row instanceof Y.XmlElement && row.nodeName === ROW);
  const columns = rows.reduce((most, row) => Math.max(most, 'length' in row ? row.length : 0), 0);
  return rows.length * columns * UNITS_PER_CELL;
}

/** Starts and ends of marks in a block's text, at most about `max`. */
function formatsIn(node: Y.XmlElement, max: number): number {
  let count = 0;
  for (const text of node.toArray()) {
    if (!(text instanceof Y.XmlText)) continue;
    for (let item = text._start; item !== null && count <= max; item = item.right) {
      if (!item.deleted && item.content instanceof Y.ContentFormat) count += 1;
    }
  }
  return count;
}
