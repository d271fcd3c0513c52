// Tracks the text a user types after a sign ("/", "@", ":", "[[") while others edit around it: where it is, and that all of
// it is theirs. Knows nothing of menus.
import type { Node } from '@tiptap/pm/model';
import { type EditorState, Plugin, PluginKey, type Transaction } from '@tiptap/pm/state';
import { ReplaceStep } from '@tiptap/pm/transform';
import type { EditorView } from '@tiptap/pm/view';
import { MATH } from 'weft-document/names.ts';
import type * as Y from 'yjs';
import { bindingOf, comesFromDocument } from '../binding/binding-of.ts';
import { toAbsolutePosition, toRelativePosition } from '../binding/page-positions.ts';
import { isCode } from '../schema/block-at.ts';

export type TypedRange = {
  readonly sign: string;
  /** The position before the sign. */
  readonly from: number;
  /** The caret. */
  readonly to: number;
  /** The text between the sign and the caret. */
  readonly query: string;
};

/** Someone who types more than this is writing, not looking for an entry. */
const MAX_QUERY = 48;

const key = new PluginKey<TypedRange | null>('typedRange');
const CLOSE = 'close';

export const typedRangeOf = (state: EditorState): TypedRange | null => key.getState(state) ?? null;

/** The typed characters stay as plain text. */
export const closeTypedRange = (view: EditorView): void => view.dispatch(view.state.tr.setMeta(key, CLOSE));

/** `remember` must run after the binding: it stores the sign's position once Yjs has the local edit. */
export function typedRange(signs: readonly string[]): { readonly follow: Plugin; readonly remember: Plugin } {
  /**
   * The position after the sign; it stays with the sign whatever is inserted. Remote edits of a block are drawn as one
   * replacement, through which no position can be mapped.
   */
  let signEnd: Y.RelativePosition | null = null;
  const followed = (range: TypedRange, transaction: Transaction, before: EditorState, state: EditorState) => {
    if (!comesFromDocument(transaction)) {
      const { pos, deleted } = transaction.mapping.mapResult(range.from, 1);
      return deleted ? null : rangeFrom(pos, range.sign, state);
    }
    // Uses the binding of the previous state: in the new one, plugins after this have no state yet.
    const end = positionIn(state.doc, bindingOf(before), signEnd);
    const now = end === null ? null : rangeFrom(end - range.sign.length, range.sign, state);
    // It contains someone else's characters, which a choice in the menu must not delete.
    return now?.query === range.query ? now : null;
  };
  const follow = new Plugin<TypedRange | null>({
    key,
    state: {
      init: () => null,
      apply(transaction, range, before, state) {
        if (transaction.getMeta(key) === CLOSE) return null;
        if (!transaction.docChanged && !transaction.selectionSet) return range;
        const now = range === null ? null : followed(range, transaction, before, state);
        return now ?? startedRange(transaction, state, signs);
      },
    },
  });
  const remember = new Plugin({
    view: () => ({
      update(view) {
        const range = typedRangeOf(view.state);
        signEnd = range === null ? null : relativePosition(view.state, range.from + range.sign.length);
      },
    }),
  });
  return { follow, remember };
}

/** A sign that was just typed, at the start of a text or after a space, a quote or an opening bracket. */
function startedRange(transaction: Transaction, state: EditorState, signs: readonly string[]): TypedRange | null {
  const [step, more] = transaction.steps;
  if (comesFromDocument(transaction) || !(step instanceof ReplaceStep) || more !== undefined) return null;
  const typed = step.slice.size === 1 ? step.slice.content.textBetween(0, 1) : '';
  const { $from } = state.selection;
  if (typed === '' || $from.pos !== step.from + 1) return null;
  const before = $from.parent.textBetween(0, $from.parentOffset);
  const sign = signs.find((one) => one.endsWith(typed) && before.endsWith(one));
  return sign === undefined ? null : rangeFrom($from.pos - sign.length, sign, state);
}

function rangeFrom(from: number, sign: string, { doc, selection }: EditorState): TypedRange | null {
  const { $from, empty } = selection;
  if (!empty || !$from.parent.isTextblock || from < $from.start() || from >= $from.pos) return null;
  if (isCode($from.parent) || $from.parent.type.name === MATH) return null;
  const before = doc.textBetween($from.start(), from);
  const text = doc.textBetween(from, $from.pos);
  const query = text.slice(sign.length);
  if (!text.startsWith(sign) || query.length > MAX_QUERY || /^\s|\n/.test(query)) return null;
  if (before !== '' && !/[\s([“„«'"]$/u.test(before)) return null;
  const isInCodeMark = doc
    .resolve(from + 1)
    .marks()
    .some((mark) => mark.type.spec.code);
  return isInCodeMark ? null : { sign, from, to: $from.pos, query };
}

function relativePosition(state: EditorState, at: number): Y.RelativePosition | null {
  const binding = bindingOf(state);
  if (binding === null) return null;
  try {
    return toRelativePosition(binding, state.doc, at);
  } catch {
    // The mapping is behind in the middle of a merge. The menu closes at the next remote edit.
    return null;
  }
}

function positionIn(
  page: Node,
  binding: ReturnType<typeof bindingOf>,
  signEnd: Y.RelativePosition | null,
): number | null {
  if (binding === null || signEnd === null) return null;
  try {
    return toAbsolutePosition(binding, page, signEnd);
  } catch {
    return null;
  }
}
