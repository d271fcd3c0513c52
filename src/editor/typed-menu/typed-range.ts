// Follows the words a person types behind a sign ("/", "@", ":") while others write around them: where they stand, and
// that they are that person's own. Knows nothing of menus.
import type { Node } from '@tiptap/pm/model';
import { type EditorState, Plugin, PluginKey, type Transaction } from '@tiptap/pm/state';
import { ReplaceStep } from '@tiptap/pm/transform';
import type { EditorView } from '@tiptap/pm/view';
import type * as Y from 'yjs';
import { bindingOf, comesFromDocument } from '../binding/binding-of.ts';
import { isCode } from '../schema/block-at.ts';
import { toAbsolutePosition, toRelativePosition } from '../binding/yjs-positions.ts';
import { MATH } from '../../document/names.ts';

export type TypedRange = {
  readonly sign: string;
  /** Before the sign. */
  readonly from: number;
  /** The caret. */
  readonly to: number;
  /** What stands between the sign and the caret. */
  readonly query: string;
};

/** Longer than any name in a menu: these are just words. */
const MAX_QUERY = 48;

const key = new PluginKey<TypedRange | null>('typedRange');
const CLOSE = 'close';

export const typedRangeOf = (state: EditorState): TypedRange | null => key.getState(state) ?? null;

/** The words stay what they are: text. */
export const closeTypedRange = (view: EditorView): void => view.dispatch(view.state.tr.setMeta(key, CLOSE));

/** `remember` belongs behind the binding: its view learns where the sign stands once Yjs knows the own edit. */
export function typedRange(signs: readonly string[]): { readonly follow: Plugin; readonly remember: Plugin } {
  /**
   * Behind the sign, to which it holds on whatever comes between. Others' edits of one block are drawn as one
   * replacement, through which nothing can be mapped.
   */
  let place: Y.RelativePosition | null = null;
  const followed = (range: TypedRange, transaction: Transaction, before: EditorState, state: EditorState) => {
    if (!comesFromDocument(transaction)) {
      const { pos, deleted } = transaction.mapping.mapResult(range.from, 1);
      return deleted ? null : rangeFrom(pos, range.sign, state);
    }
    // The binding of the state before: in the new one, plugins behind this have nothing to say yet.
    const behind = positionIn(state.doc, bindingOf(before), place);
    const now = behind === null ? null : rangeFrom(behind - range.sign.length, range.sign, state);
    // Somebody else's letters among them: nobody may delete those for a choice in a menu.
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
        return now ?? begun(transaction, state, signs);
      },
    },
  });
  const remember = new Plugin({
    view: () => ({
      update(view) {
        const range = typedRangeOf(view.state);
        place = range === null ? null : relative(view.state, range.from + range.sign.length);
      },
    }),
  });
  return { follow, remember };
}

/** A sign that was typed just now, at the start of a block or after a space. */
function begun(transaction: Transaction, state: EditorState, signs: readonly string[]): TypedRange | null {
  const [step, more] = transaction.steps;
  if (comesFromDocument(transaction) || !(step instanceof ReplaceStep) || more !== undefined) return null;
  const typed = step.slice.size === 1 ? step.slice.content.textBetween(0, 1) : '';
  if (!signs.includes(typed)) return null;
  const from = state.selection.from - 1;
  return from === step.from ? rangeFrom(from, typed, state) : null;
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
    .some((mark) => mark.type.name === 'code');
  return isInCodeMark ? null : { sign, from, to: $from.pos, query };
}

function relative(state: EditorState, at: number): Y.RelativePosition | null {
  const binding = bindingOf(state);
  if (binding === null) return null;
  try {
    return toRelativePosition(binding, state.doc, at);
  } catch {
    // The mapping lags behind in the middle of a merge: the menu closes at the next edit of others.
    return null;
  }
}

function positionIn(
  page: Node,
  binding: ReturnType<typeof bindingOf>,
  place: Y.RelativePosition | null,
): number | null {
  if (binding === null || place === null) return null;
  try {
    return toAbsolutePosition(binding, page, place);
  } catch {
    return null;
  }
}
