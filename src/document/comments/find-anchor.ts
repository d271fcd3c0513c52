// Where an anchor is on a page.
import type * as Y from 'yjs';
import type { Anchor, TextAnchor } from '../../protocol/comments.ts';
import { bodyOf } from '../names.ts';
import { indexesById } from '../recovered-text/place.ts';
import { findWords } from './find-words.ts';
import type { FoundAnchor } from './found-anchor.ts';
import { PageTexts, type Passage, type TextPlace } from './page-texts.ts';
import { decodePosition, endAt, isKnown, startAt, textPlaceOf } from './positions.ts';

/** A page until its next change. Many anchors share what is read of it, when the first of them needs it. */
export type PageMoment = {
  readonly doc: Y.Doc;
  readonly text: () => PageTexts;
  /** The ids of the blocks. */
  readonly blocks: () => ReadonlySet<unknown>;
};

export function pageMoment(doc: Y.Doc): PageMoment {
  let text: PageTexts | null = null;
  let blocks: ReadonlySet<unknown> | null = null;
  return {
    doc,
    text: () => (text ??= new PageTexts(doc)),
    blocks: () => (blocks ??= new Set(indexesById(bodyOf(doc)).keys())),
  };
}

export const findAnchor = (doc: Y.Doc, anchor: Anchor): FoundAnchor => findOn(pageMoment(doc), anchor);

export function findOn(page: PageMoment, anchor: Anchor): FoundAnchor {
  switch (anchor.kind) {
    case 'page':
      return { at: 'page' };
    case 'block':
      return findBlock(page, anchor.block);
    case 'text':
      return findText(page, anchor);
  }
}

export const findBlock = (page: PageMoment, block: string): FoundAnchor =>
  page.blocks().has(block) ? { at: 'block', block } : { at: 'gone', near: null };

function findText(page: PageMoment, anchor: TextAnchor): FoundAnchor {
  const [from, to] = [decodePosition(anchor.from), decodePosition(anchor.to)];
  const there = wordsBetween(page, from, to);
  if (there !== null) return foundAt(there, false);
  const same = findWords(page.text(), anchor);
  if (same !== null) return foundAt(same, true);
  return { at: 'gone', near: nearOf(page, anchor) };
}

export type Ends = Pick<Passage, 'from' | 'to' | 'texts'>;

/**
 * The characters left between two positions. If the text of one end is gone: those in the text of the other end. Null while one
 * end has not arrived: anything may be between.
 */
export function wordsBetween(
  page: PageMoment,
  from: Y.RelativePosition | null,
  to: Y.RelativePosition | null,
): Ends | null {
  if ([from, to].some((one) => one !== null && !isKnown(page.doc, one))) return null;
  const [start, end] = [textPlaceOf(page.doc, from), textPlaceOf(page.doc, to)];
  if (start !== null && start.text === end?.text) return start.index < end.index ? within(start, end) : null;
  if (start !== null && end !== null) {
    const text = page.text();
    return text.passage(text.offsetOf(start) ?? 0, text.offsetOf(end) ?? 0);
  }
  if (start !== null && start.index < start.text.length)
    return within(start, { text: start.text, index: start.text.length });
  if (end !== null && end.index > 0) return within({ text: end.text, index: 0 }, end);
  return null;
}

const within = (from: TextPlace, to: TextPlace): Ends => ({ from, to, texts: [from.text] });

export const foundAt = ({ from, to }: Pick<Ends, 'from' | 'to'>, isElsewhere: boolean): FoundAnchor => ({
  at: 'text',
  from: startAt(from),
  to: endAt(to),
  isElsewhere,
});

/** Where the words were; else where their block begins. */
export function nearOf(page: PageMoment, { from, to, block }: TextAnchor): Y.RelativePosition | null {
  for (const end of [from, to]) {
    const place = textPlaceOf(page.doc, decodePosition(end));
    if (place !== null) return startAt(place);
  }
  const first = block === null ? undefined : page.text().segments.find((segment) => segment.block === block);
  return first === undefined ? null : startAt({ text: first.text, index: 0 });
}
