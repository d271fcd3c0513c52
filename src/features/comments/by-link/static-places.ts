// Where the threads' words are on a page that is drawn for reading. The browser paints them as highlights, so that the page's
// elements stay as they are.
import { bodyViewOf } from 'weft-document/body/body-view.ts';
import { type PageMoment, findOn, pageMoment } from 'weft-document/comments/find-anchor.ts';
import { textPlaceOf } from 'weft-document/comments/positions.ts';
import { cellsOf, rowsOf } from 'weft-document/tables/table-grid.ts';
import * as Y from 'yjs';
import { cutText } from '../../../lib/text/cut-text.ts';
import { type LinkThread, MAX_QUOTE_LENGTH } from '../../../protocol/comments.ts';
import type { ThreadId } from '../../../protocol/ids.ts';

export type StaticPlace = {
  /** The place in the order of the text. Threads about the page are first, those whose words are gone last. */
  readonly rank: number;
  readonly isGone: boolean;
  /** The words that are there now; empty unless the thread is about words. */
  readonly words: string;
  readonly ranges: readonly Range[];
  /** A thread about a whole block. */
  readonly block: Element | null;
};

const OF_PAGE: StaticPlace = { rank: -1, isGone: false, words: '', ranges: [], block: null };
const GONE: StaticPlace = { rank: Number.MAX_SAFE_INTEGER, isGone: true, words: '', ranges: [], block: null };
/** More than the characters of a page. */
const BLOCK_RANK = 2 ** 26;

/** `page` has the drawn blocks. */
export function staticPlaces(
  doc: Y.Doc,
  page: ParentNode,
  threads: readonly LinkThread[],
): ReadonlyMap<ThreadId, StaticPlace> {
  const moment = pageMoment(doc);
  const blocks = bodyViewOf(doc).get();
  const rankOfKey = new Map(blocks.map(({ key }, at) => [key, at * BLOCK_RANK]));
  const keyOfId = new Map(blocks.map(({ id, key }) => [id, key]));
  const elementOf = (key: string) => page.querySelector(`[data-key="${CSS.escape(key)}"]`);
  const elementOfText = ({ key, cell }: Piece) => {
    const block = elementOf(key);
    return cell === null ? block : block?.querySelector('table')?.rows[cell.row]?.cells[cell.column];
  };
  const placeOf = ({ anchor }: LinkThread): StaticPlace => {
    const found = findOn(moment, anchor);
    if (found.at === 'page') return OF_PAGE;
    if (found.at === 'gone') return GONE;
    if (found.at === 'block') {
      const key = keyOfId.get(found.block) ?? '';
      return { rank: rankOfKey.get(key) ?? 0, isGone: false, words: '', ranges: [], block: elementOf(key) };
    }
    const pieces = piecesOf(moment, found);
    const [first] = pieces;
    const ranges = pieces.flatMap((piece) => {
      const element = elementOfText(piece);
      return (element && rangeOf(element, piece.words, piece.at)) ?? [];
    });
    const rank = first === undefined ? 0 : (rankOfKey.get(first.key) ?? 0) + first.start;
    const words = cutText(pieces.map((piece) => piece.words).join(' '), MAX_QUOTE_LENGTH);
    return { rank, isGone: false, words, ranges, block: null };
  };
  return new Map(threads.map((thread) => [thread.id, placeOf(thread)]));
}

/** Words of one text. */
type Piece = {
  /** The key of its block. */
  readonly key: string;
  /** Null outside of tables. */
  readonly cell: Cell | null;
  readonly words: string;
  /** Where they begin on the page. */
  readonly start: number;
  /** Where they begin in the text. */
  readonly at: number;
};
/** From 0; -1 if it is not drawn. */
type Cell = { readonly row: number; readonly column: number };

function piecesOf(
  { doc, text }: PageMoment,
  found: { readonly from: Y.RelativePosition; readonly to: Y.RelativePosition },
): readonly Piece[] {
  const [start, end] = [textPlaceOf(doc, found.from), textPlaceOf(doc, found.to)];
  const texts = text();
  const passage =
    start === null || end === null ? null : texts.passage(texts.offsetOf(start) ?? 0, texts.offsetOf(end) ?? 0);
  return (passage?.texts ?? []).flatMap((one) => {
    const segment = texts.segmentOf(one);
    const key = keyOf(one);
    if (passage === null || segment === null || key === null) return [];
    const from = Math.max(segment.start, passage.start);
    const words = texts.string.slice(from, Math.min(segment.end, passage.end));
    return [{ key, cell: cellOf(one), words, start: from, at: from - segment.start }];
  });
}

/** The key of the block that has this text, as `Block` has it. */
function keyOf(text: Y.XmlText): string | null {
  let item = text._item;
  while (item !== null && item.parent instanceof Y.XmlElement) item = item.parent._item;
  return item === null ? null : `${item.id.client}.${item.id.clock}`;
}

function cellOf({ parent: cell }: Y.XmlText): Cell | null {
  const row = cell?.parent;
  const table = row?.parent;
  if (!(cell instanceof Y.XmlElement && row instanceof Y.XmlElement && table instanceof Y.XmlElement)) return null;
  return { row: rowsOf(table).indexOf(row), column: cellsOf(row).indexOf(cell) };
}

/**
 * Finds the words in the drawn element, nearest to `expectedAt`: it may show other text before them, such as line
 * numbers. Null if it does not show them.
 */
function rangeOf(element: Element, words: string, expectedAt: number): Range | null {
  if (words === '') return null;
  const nodes: { readonly node: Text; readonly from: number }[] = [];
  let text = '';
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    if (!(node instanceof Text)) continue;
    nodes.push({ node, from: text.length });
    text += node.data;
  }
  let best = -1;
  for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + 1))
    if (best < 0 || Math.abs(at - expectedAt) < Math.abs(best - expectedAt)) best = at;
  const first = nodes.findLast(({ from }) => from <= best);
  const last = nodes.findLast(({ from }) => from < best + words.length);
  if (best < 0 || first === undefined || last === undefined) return null;
  const range = document.createRange();
  range.setStart(first.node, best - first.from);
  range.setEnd(last.node, best + words.length - last.from);
  return range;
}

/** Scrolls to the words. */
export function revealPlace(place: StaticPlace | undefined): void {
  const element = place?.block ?? place?.ranges[0]?.startContainer.parentElement;
  element?.scrollIntoView({ block: 'center' });
}
