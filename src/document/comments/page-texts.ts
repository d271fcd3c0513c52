// The texts of a page, one below the other, as one string: comments find their words in it.
import * as Y from 'yjs';
import { firstIndex } from '../../lib/lists/first-index.ts';
import { bodyOf, contentOf } from '../names.ts';

/** A place in a text, as Yjs counts. */
export type TextPlace = { readonly text: Y.XmlText; readonly index: number };
type Segment = {
  readonly text: Y.XmlText;
  readonly start: number;
  readonly end: number;
  /** The id of the child of the body that has the text. A table has many. */
  readonly block: string | null;
};

/** Words of the page, with no line break between two texts at its ends. */
export type Passage = {
  readonly start: number;
  readonly end: number;
  /** Of the first character. */
  readonly block: string | null;
  readonly from: TextPlace;
  readonly to: TextPlace;
  readonly texts: readonly Y.XmlText[];
};

/** Stands between two texts. */
export const BREAK = '\n';
/** Stands for an object in a text, which takes one place, and for NUL, which the database refuses. */
const OTHER = '\uFFFC';

export class PageTexts {
  /** All texts, each as long as Yjs counts. A line break is before the first, behind the last, and between two of them. */
  readonly string: string;
  readonly segments: readonly Segment[];
  readonly #byText: ReadonlyMap<Y.XmlText, Segment>;

  constructor(doc: Y.Doc) {
    const segments: Segment[] = [];
    const parts: string[] = [];
    let start = BREAK.length;
    for (const { text, block } of textsIn(bodyOf(doc))) {
      const part = charactersOf(text);
      parts.push(part);
      segments.push({ text, start, end: start + part.length, block });
      start += part.length + BREAK.length;
    }
    this.segments = segments;
    this.#byText = new Map(segments.map((segment) => [segment.text, segment]));
    this.string = cleanText([BREAK, parts.join(BREAK), BREAK].join(''));
  }

  /** Null for a text that is not on the page. */
  offsetOf({ text, index }: TextPlace): number | null {
    const segment = this.#byText.get(text);
    return segment === undefined ? null : Math.min(segment.start + index, segment.end);
  }

  segmentOf(text: Y.XmlText): Segment | null {
    return this.#byText.get(text) ?? null;
  }

  /** The texts that have a character between two places, and their ends in it. Null if there is none. */
  passage(from: number, to: number): Passage | null {
    const first = this.segments[this.#firstSegment(({ end }) => end > from)];
    const last = this.segments[this.#firstSegment(({ start }) => start >= to) - 1];
    if (first === undefined || last === undefined) return null;
    const [start, end] = [Math.max(from, first.start), Math.min(to, last.end)];
    if (start >= end) return null;
    return {
      start,
      end,
      block: first.block,
      from: { text: first.text, index: start - first.start },
      to: { text: last.text, index: end - last.start },
      texts: this.segments.slice(this.segments.indexOf(first), this.segments.indexOf(last) + 1).map(({ text }) => text),
    };
  }

  #firstSegment(is: (segment: Segment) => boolean): number {
    return firstIndex(this.segments.length, (at) => {
      const segment = this.segments[at];
      return segment !== undefined && is(segment);
    });
  }
}

/** The same length, without what the database refuses. */
export const cleanText = (text: string): string => text.toWellFormed().replaceAll('\0', OTHER);

const charactersOf = (text: Y.XmlText): string => charactersOfItems(livingItems(text));

function* livingItems({ _start }: Y.XmlText): Generator<Y.Item> {
  for (let item = _start; item !== null; item = item.right) if (!item.deleted && item.countable) yield item;
}

/** As many UTF-16 units as Yjs counts. */
export function charactersOfItems(items: Iterable<Y.Item>): string {
  let text = '';
  for (const { content, length } of items)
    text += content instanceof Y.ContentString ? content.str : OTHER.repeat(length);
  return text;
}

/** In the order of the page. With a stack of its own: a hostile person can nest elements deeper than functions can be. */
function* textsIn(body: Y.XmlFragment): Generator<Pick<Segment, 'text' | 'block'>> {
  for (const child of body.toArray()) {
    if (!(child instanceof Y.XmlElement)) continue;
    const id: unknown = child.getAttribute('id');
    const block = typeof id === 'string' ? id : null;
    const waiting: unknown[] = [child];
    for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
      if (node instanceof Y.XmlText) yield { text: node, block };
      else if (node instanceof Y.XmlElement && contentOf(node.nodeName) !== null)
        for (const one of (node.toArray() as readonly unknown[]).toReversed()) waiting.push(one);
    }
  }
}
