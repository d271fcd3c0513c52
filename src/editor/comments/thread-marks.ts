// Where threads stand in the editor's page, and the decorations that show it. They do not touch the document.
import type { Node } from '@tiptap/pm/model';
import type { EditorState } from '@tiptap/pm/state';
import { Decoration, DecorationSet } from '@tiptap/pm/view';
import type { FoundAnchor } from 'weft-document/comments/found-anchor.ts';
import type { ThreadId } from '../../protocol/ids.ts';
import type { PageBinding } from '../binding/binding-of.ts';
import { toAbsolutePosition } from '../binding/page-positions.ts';
import { positionOfBlock } from '../blocks/block-link.ts';
import { commentMarksKey } from './comment-plugin.ts';
import { idOfCard } from './id-of-card.ts';

/** `draft`: what a new thread will be about. */
export type MarkId = ThreadId | 'draft';

/** `gone`: the words are nowhere, and stood at `from`. */
type MarkKind = 'text' | 'block' | 'gone';
export type ThreadMark = {
  readonly id: MarkId;
  readonly kind: MarkKind;
  readonly from: number;
  readonly to: number;
};

/**
 * Null if the thread has no place in the page, or one that is not drawn yet. `page` must show the document as it is
 * now.
 */
export function markOf(id: MarkId, found: FoundAnchor, binding: PageBinding, page: Node): ThreadMark | null {
  switch (found.at) {
    case 'page':
      return null;
    case 'block': {
      const from = positionOfBlock(page, found.block);
      const node = from === null ? null : page.nodeAt(from);
      return from === null || node === null ? null : { id, kind: 'block', from, to: from + node.nodeSize };
    }
    case 'text': {
      const from = toAbsolutePosition(binding, page, found.from);
      const to = toAbsolutePosition(binding, page, found.to);
      return from === null || to === null || from >= to ? null : { id, kind: 'text', from, to };
    }
    case 'gone': {
      const from = found.near === null ? null : toAbsolutePosition(binding, page, found.near);
      return from === null || !page.resolve(from).parent.isTextblock ? null : { id, kind: 'gone', from, to: from };
    }
  }
}

/** Is the spec of each decoration, and stays the same object while the decoration moves. */
class MarkSpec {
  readonly id: MarkId;
  readonly kind: MarkKind;
  /** Two marks with the same look are drawn alike. */
  readonly look: string;
  /** By which ProseMirror knows a widget again. */
  readonly key: string;
  readonly side = -1;
  readonly ignoreSelection = true;
  constructor({ id, kind }: ThreadMark, attributes: MarkAttributes) {
    this.id = id;
    this.kind = kind;
    this.look = JSON.stringify([kind, attributes]);
    this.key = this.look;
  }
}

export function drawThreads(page: Node, marks: readonly ThreadMark[], active: ThreadId | null): DecorationSet {
  return DecorationSet.create(
    page,
    marks.map((mark) => draw(mark, active)),
  );
}

type MarkAttributes = Readonly<Record<string, string>>;

function draw(mark: ThreadMark, active: ThreadId | null): Decoration {
  const { id, kind, from, to } = mark;
  const attributes = {
    class: CLASSES[kind],
    ...(id === 'draft' ? { 'data-draft': '' } : { 'data-thread': id }),
    ...(id === active && { 'data-active': '' }),
    // A reference to an element that is not there would be an error.
    ...(id !== 'draft' && document.getElementById(idOfCard(id)) !== null && { 'aria-details': idOfCard(id) }),
  };
  const spec = new MarkSpec(mark, attributes);
  switch (kind) {
    // An element for each of two threads that overlap: otherwise the attributes of one would hide those of the other.
    case 'text':
      return Decoration.inline(from, to, { nodeName: 'span', ...attributes }, spec);
    case 'block':
      return Decoration.node(from, to, attributes, spec);
    case 'gone':
      return Decoration.widget(from, () => goneElement(attributes), spec);
  }
}

const CLASSES: Readonly<Record<MarkKind, string>> = {
  text: 'commented',
  block: 'commented-block',
  gone: 'commented-gone',
};

function goneElement(attributes: MarkAttributes): HTMLElement {
  const element = document.createElement('span');
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.contentEditable = 'false';
  element.setAttribute('role', 'img');
  element.setAttribute('aria-label', 'Commented words were here');
  element.title = 'Commented words were here';
  return element;
}

/** The marks of the page, or those that touch a part of it. Words in several blocks have a mark in each. */
export const threadMarksIn = (state: EditorState, start?: number, end?: number): readonly ThreadMark[] =>
  placedIn(commentMarksKey.getState(state)?.set ?? DecorationSet.empty, start, end).map(
    ({ spec: { id, kind }, from, to }) => ({ id, kind, from, to }),
  );

/** True if two sets look the same. */
export function isSameDrawing(one: DecorationSet, other: DecorationSet): boolean {
  const looks = (set: DecorationSet) => placedIn(set).map(({ spec, from, to }) => `${from} ${to} ${spec.look}`);
  return looks(one).toSorted().join('\n') === looks(other).toSorted().join('\n');
}

type PlacedSpec = { readonly spec: MarkSpec; readonly from: number; readonly to: number };

const placedIn = (set: DecorationSet, start?: number, end?: number): readonly PlacedSpec[] =>
  set
    .find(start, end)
    .flatMap(({ spec, from, to }: { readonly spec: unknown; from: number; to: number }) =>
      spec instanceof MarkSpec ? [{ spec, from, to }] : [],
    );
