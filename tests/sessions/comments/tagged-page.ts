// A page on which each character has a tag, a number that it keeps when a move, undo or a restored version inserts it again.
import type { FoundAnchor } from 'weft-document/comments/found-anchor.ts';
import { textPlaceOf } from 'weft-document/comments/positions.ts';
import { bodyOf } from 'weft-document/names.ts';
import * as Y from 'yjs';

export type Tagged = {
  readonly text: Y.XmlText;
  readonly index: number;
  readonly tag: number;
  /** The character's id. */
  readonly id: string;
};

/** A link, because the functions that copy blocks keep no unknown mark. */
export const tagged = (tag: number) => ({ link: { href: `https://weft.example/${tag}` } });

const tagOf = (mark: { href?: string } | undefined): number => Number(mark?.href?.split('/').at(-1) ?? -1);

export const idOf = ({ client, clock }: Y.ID, offset = 0): string => `${client}:${clock + offset}`;

export function textAt(doc: Y.Doc, index: number): Y.XmlText | null {
  const block = bodyOf(doc).get(index);
  const text: unknown = block instanceof Y.XmlElement ? block.get(0) : null;
  return text instanceof Y.XmlText ? text : null;
}

export const textsOf = (doc: Y.Doc): readonly Y.XmlText[] =>
  Array.from({ length: bodyOf(doc).length }, (_, at) => textAt(doc, at)).filter((text) => text !== null);

export function charactersIn(text: Y.XmlText): readonly Tagged[] {
  const pieces: readonly { insert: string; attributes?: { link?: { href?: string } } }[] = text.toDelta();
  const tags = pieces.flatMap(({ insert, attributes }) => Array.from(insert, () => tagOf(attributes?.link)));
  const ids = itemsIn(text).flatMap(({ id, length, deleted }) =>
    deleted ? [] : Array.from({ length }, (_, offset) => idOf(id, offset)),
  );
  return tags.map((tag, index) => ({ text, index, tag, id: ids[index] ?? '' }));
}

export const charactersOn = (doc: Y.Doc): readonly Tagged[] => textsOf(doc).flatMap(charactersIn);

/** The characters of an anchor that was found. Null: it was not. */
export function charactersAt(doc: Y.Doc, found: FoundAnchor): readonly Tagged[] | null {
  if (found.at !== 'text') return null;
  const all = charactersOn(doc);
  const [from, to] = [textPlaceOf(doc, found.from), textPlaceOf(doc, found.to)];
  const first = all.findIndex(({ text, index }) => text === from?.text && index === from.index);
  const last = all.findIndex(({ text, index }) => text === to?.text && index === to.index - 1);
  return all.slice(first, last + 1);
}

/**
 * By a walk from one character to the other: those that are there between these two, themselves included. Null: one of the two is
 * not in this document, not even deleted.
 */
export function charactersBetween(doc: Y.Doc, first: string, last: string): readonly string[] | null {
  for (const text of textsOf(doc)) {
    const all = unitsIn(text);
    const [from, to] = [first, last].map((end) => all.findIndex(({ id }) => id === end));
    if (from === undefined || to === undefined || from < 0 || to < 0) continue;
    return all.slice(from, to + 1).flatMap(({ id, deleted }) => (deleted ? [] : [id]));
  }
  return isThere(doc, first) && isThere(doc, last) ? [] : null;
}

/** The deleted characters beside these, on each side up to the next one that is there. */
export function deletedAround(doc: Y.Doc, first: string, last: string): readonly (readonly string[])[] {
  const all = textsOf(doc).flatMap((text) => unitsIn(text));
  const before = all
    .slice(
      0,
      all.findIndex(({ id }) => id === first),
    )
    .toReversed();
  const behind = all.slice(all.findIndex(({ id }) => id === last) + 1);
  return [before, behind].map((side) => {
    const next = side.findIndex(({ deleted }) => !deleted);
    return side.slice(0, next < 0 ? side.length : next).map(({ id }) => id);
  });
}

const unitsIn = (text: Y.XmlText) =>
  itemsIn(text).flatMap(({ id, length, deleted }) =>
    Array.from({ length }, (_, offset) => ({ id: idOf(id, offset), deleted })),
  );

function isThere(doc: Y.Doc, id: string): boolean {
  const [client = 0, clock = 0] = id.split(':').map(Number);
  return clock < Y.getState(doc.store, client);
}

function itemsIn({ _start }: Y.XmlText): readonly Y.Item[] {
  const items: Y.Item[] = [];
  for (let item = _start; item !== null; item = item.right) if (item.countable || item.deleted) items.push(item);
  return items;
}

export function taggedPage(
  lines: readonly (readonly { readonly letter: string; readonly tag: number }[])[],
): Uint8Array {
  const doc = new Y.Doc();
  doc.clientID = 2;
  const blocks = lines.map((line, n) => {
    const block = new Y.XmlElement('block');
    block.setAttribute('id', `line-${n}`);
    block.setAttribute('kind', 'paragraph');
    const text = new Y.XmlText();
    text.applyDelta(line.map(({ letter, tag }) => ({ insert: letter, attributes: tagged(tag) })));
    block.insert(0, [text]);
    return block;
  });
  bodyOf(doc).insert(0, blocks);
  return Y.encodeStateAsUpdate(doc);
}
