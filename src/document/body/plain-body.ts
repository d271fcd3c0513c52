// A page's blocks as plain text, whatever they contain, for views that must open any page: the safe view, and watched pages that
// are too long. Reads only what is shown: the cost does not grow with the length of a text or the number of its cells.
import * as Y from 'yjs';
import type { Cancel } from '../../lib/cancel.ts';
import { onePer } from '../../lib/one-per.ts';
import { Subscribable } from '../../lib/subscribable.ts';
import { cutText } from '../../lib/text/cut-text.ts';
import { type BodyPart, bodyParts } from '../body-parts.ts';
import { BLOCK, CELL, EMBED, FILE, IMAGE, ROW, bodyOf } from '../names.ts';

export type PlainBlock = {
  /** The same for a block as long as it exists. */
  readonly key: string;
  /** The node's stored name, for a block its kind; null for text outside of any block. Anyone may have written it. */
  readonly name: string | null;
  /** At most as long as the caller asked for. */
  readonly text: string;
  readonly hasMore: boolean;
};

/** The blocks of the page between two changes. */
export interface PlainBody {
  readonly count: number;
  readonly keyAt: (index: number) => string | null;
  /** -1 if there is no such block. */
  readonly indexOf: (key: string) => number;
  /** From `from` to before `to`. `charactersOf` limits the text of each. */
  readonly blocks: (from: number, to: number, charactersOf: (key: string) => number) => readonly PlainBlock[];
}

/** Items of a Y.Doc that are read for each character that may be shown: most of a text's history can be deleted characters. */
const ITEMS_PER_CHARACTER = 10;
const MAX_NAME_LENGTH = 40;

export interface PlainBodyView {
  /** The same object until something in the body changes. */
  readonly get: () => PlainBody;
  readonly subscribe: (run: () => void) => Cancel;
}

/** One view per document. It listens for as long as the document lives. */
export const plainBodyOf = onePer((doc: Y.Doc): PlainBodyView => {
  const body = bodyOf(doc);
  const changes = new Subscribable();
  let current: PlainBody | null = null;
  // `observeDeep` would make an event with a path for each changed block.
  doc.on('afterTransaction', ({ changedParentTypes }: Y.Transaction) => {
    if (!new Set<unknown>(changedParentTypes.keys()).has(body)) return;
    current = null;
    changes.notify();
  });
  return { get: () => (current ??= readBody(body)), subscribe: changes.subscribe };
});

function readBody(body: Y.XmlFragment): PlainBody {
  const parts = bodyParts(body);
  const indices = new Map(parts.map((part, index) => [keyOf(part), index]));
  return {
    count: parts.length,
    keyAt: (index) => {
      const part = parts[index];
      return part === undefined ? null : keyOf(part);
    },
    indexOf: (key) => indices.get(key) ?? -1,
    blocks: (from, to, charactersOf) =>
      parts.slice(from, to).map((part) => {
        const key = keyOf(part);
        return { key, name: nameOf(part), ...textOf(part, charactersOf(key)) };
      }),
  };
}

export const keyOf = ({ first: { id } }: BodyPart): string => `${id.client}.${id.clock}`;

function nameOf({ element }: BodyPart): string | null {
  if (element === null) return null;
  const kind: unknown = element.nodeName === BLOCK ? element.getAttribute('kind') : null;
  return (typeof kind === 'string' ? kind : element.nodeName).slice(0, MAX_NAME_LENGTH);
}

/** Walks with a stack of its own: nodes may be nested deeper than functions can be. */
function textOf({ element, first, length }: BodyPart, maxCharacters: number): Pick<PlainBlock, 'text' | 'hasMore'> {
  const above: (Y.Item | null)[] = [];
  let text = attributeText(element, maxCharacters);
  let at: Y.Item | null = first;
  /** Children of the body that belong to this part. */
  let childrenLeft = length;
  let itemsLeft = maxCharacters * ITEMS_PER_CHARACTER;
  while (text.length <= maxCharacters && itemsLeft > 0) {
    while (at === null && above.length > 0) at = above.pop() ?? null;
    if (at === null || (above.length === 0 && childrenLeft <= 0)) return { text, hasMore: false };
    itemsLeft -= 1;
    const { content, right: next }: Y.Item = at;
    if (above.length === 0 && at.countable && !at.deleted) childrenLeft -= at.length;
    if (!at.deleted && content instanceof Y.ContentType) {
      if (above.length > 0 && text !== '' && !text.endsWith('\n')) text += separatorBefore(content.type);
      above.push(next);
      at = content.type._start;
      continue;
    }
    if (!at.deleted && content instanceof Y.ContentString) text += content.str;
    at = next;
  }
  return { text: cutText(text, maxCharacters).toWellFormed(), hasMore: true };
}

function separatorBefore(type: unknown): string {
  if (!(type instanceof Y.XmlElement)) return '';
  if (type.nodeName === CELL) return '\t';
  return type.nodeName === ROW ? '\n' : ' ';
}

/** The name or title that a block without text, such as a picture, has in its attributes. */
function attributeText(element: Y.XmlElement | null, maxCharacters: number): string {
  const name = element?.nodeName ?? '';
  const names = name === EMBED ? ['title', 'url'] : [IMAGE, FILE].includes(name) ? ['name'] : [];
  return names
    .map((attribute): unknown => element?.getAttribute(attribute))
    .flatMap((value) => (typeof value === 'string' && value !== '' ? [value.slice(0, maxCharacters)] : []))
    .join(' ');
}
