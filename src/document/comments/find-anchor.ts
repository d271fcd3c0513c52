// Where an anchor is on a page.
import type * as Y from 'yjs';
import type { Anchor, TextAnchor } from '../../protocol/comments.ts';
import { bodyOf } from '../names.ts';
import { indexesById } from '../recovered-text/place.ts';
import { findWords } from './find-words.ts';
import type { Found } from './found.ts';
import { PageText, type Passage, type TextPlace } from './page-text.ts';
import { decodePosition, endAt, placeOf, startAt } from './positions.ts';

/** A moment of a page. Many anchors share what is read of it, when the first of them needs it. */
export type Page = {
  readonly doc: Y.Doc;
  readonly text: () => PageText;
  /** The ids of the blocks. */
  readonly blocks: () => ReadonlySet<unknown>;
};

export function pageOf(doc: Y.Doc): Page {
  let text: PageText | null = null;
  let blocks: ReadonlySet<unknown> | null = null;
  return {
    doc,
    text: () => (text ??= new PageText(doc)),
    blocks: () => (blocks ??= new Set(indexesById(bodyOf(doc)).keys())),
  };
}

export const findAnchor = (doc: Y.Doc, anchor: Anchor): Found => findOn(pageOf(doc), anchor);

export function findOn(page: Page, anchor: Anchor): Found {
  switch (anchor.kind) {
    case 'page':
      return { at: 'page' };
    case 'block':
      return page.blocks().has(anchor.block) ? { at: 'block', block: anchor.block } : { at: 'gone', near: null };
    case 'text':
      return findText(page, anchor);
  }
}

function findText(page: Page, anchor: TextAnchor): Found {
  const [from, to] = [decodePosition(anchor.from), decodePosition(anchor.to)];
  const there = wordsBetween(page, from, to);
  if (there !== null) return foundAt(there, false);
  const same = findWords(page.text(), anchor);
  if (same !== null) return foundAt(same, true);
  return { at: 'gone', near: nearOf(page, anchor, placeOf(page.doc, from) ?? placeOf(page.doc, to)) };
}

export type Ends = Pick<Passage, 'from' | 'to'>;

/** The characters between two positions that are there. If the text of one end is gone, those in the text of the other. */
export function wordsBetween(page: Page, from: Y.RelativePosition | null, to: Y.RelativePosition | null): Ends | null {
  const [start, end] = [placeOf(page.doc, from), placeOf(page.doc, to)];
  if (start !== null && start.text === end?.text) return start.index < end.index ? { from: start, to: end } : null;
  if (start !== null && end !== null) {
    const text = page.text();
    return text.passage(text.offsetOf(start) ?? 0, text.offsetOf(end) ?? 0);
  }
  if (start !== null && start.index < start.text.length)
    return { from: start, to: { text: start.text, index: start.text.length } };
  if (end !== null && end.index > 0) return { from: { text: end.text, index: 0 }, to: end };
  return null;
}

export const foundAt = ({ from, to }: Ends, isElsewhere: boolean): Found => ({
  at: 'text',
  from: startAt(from),
  to: endAt(to),
  isElsewhere,
});

function nearOf(page: Page, { block }: TextAnchor, place: TextPlace | null): Y.RelativePosition | null {
  if (place !== null) return startAt(place);
  const first = block === null ? undefined : page.text().segments.find((segment) => segment.block === block);
  return first === undefined ? null : startAt({ text: first.text, index: 0 });
}
