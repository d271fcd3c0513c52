// The parts of a page: each is an element, or a run of loose content (texts, objects, shared types) between
// elements. No Weft app writes loose content, but a hostile person can. For views and the editor,
// the index of a block is that of its part.
import * as Y from 'yjs';

export type BodyPart = {
  /** Null for loose content. */
  readonly element: Y.XmlElement | null;
  readonly first: Y.Item;
  /** Its first index in the body and the number of indexes it takes, as Yjs counts: each character of a loose text has one. */
  readonly from: number;
  readonly length: number;
};

/** A run of loose content is one part, however many pieces it has. */
export function bodyParts(body: Y.XmlFragment): readonly BodyPart[] {
  const parts: BodyPart[] = [];
  let from = 0;
  for (let item = body._first; item !== null; item = item.next) {
    if (!item.countable) continue;
    const { length } = item;
    const element = elementOf(item);
    const last = parts.at(-1);
    if (element === null && last?.element === null) parts[parts.length - 1] = { ...last, length: last.length + length };
    else parts.push({ element, first: item, from, length });
    from += length;
  }
  return parts;
}

/** The element of the part with this index; null if there is no such part, or it is loose content. Cheap enough for each key. */
export function elementAt(body: Y.XmlFragment, index: number): Y.XmlElement | null {
  let left = index;
  let wasLoose = false;
  for (let item = body._first; item !== null; item = item.next) {
    if (!item.countable) continue;
    const element = elementOf(item);
    if (element === null && wasLoose) continue;
    if (left === 0) return element;
    wasLoose = element === null;
    left -= 1;
  }
  return null;
}

const elementOf = ({ content }: Y.Item): Y.XmlElement | null =>
  content instanceof Y.ContentType && content.type instanceof Y.XmlElement ? content.type : null;

/** All text inside a part, one line for each text. */
export function textOfPart({ first, length }: Pick<BodyPart, 'first' | 'length'>): string {
  const lines = [''];
  let left = length;
  for (let item: Y.Item | null = first; item !== null && left > 0; item = item.next) {
    if (!item.countable) continue;
    left -= item.length;
    addTextOf(item, lines);
  }
  return lines.filter((line) => line !== '').join('\n');
}

/** With a stack of its own: a hostile person can nest elements so deep that recursion would overflow ours. */
function addTextOf(first: Y.Item, lines: string[]): void {
  const rest: Y.Item[] = [first];
  for (let item = rest.pop(); item !== undefined; item = rest.pop()) {
    const { content, countable, next } = item;
    if (item !== first && next !== null) rest.push(next);
    if (content instanceof Y.ContentString) lines.push((lines.pop() ?? '') + content.str);
    else if (content instanceof Y.ContentAny || content instanceof Y.ContentJSON)
      for (const text of stringsIn(content.arr)) lines.push(text, '');
    else if (countable) lines.push('');
    if (content instanceof Y.ContentType && content.type._first !== null) rest.push(content.type._first);
  }
}

const stringsIn = (values: readonly unknown[]): readonly string[] =>
  values.filter((value): value is string => typeof value === 'string');
