// Binds a text area to the page's title: typing becomes small changes of the shared text, and remote changes move the
// caret along. Composition (IME) is left alone until it ends.
import { titleOf } from 'weft-document/names.ts';
import {
  TITLE_ORIGIN,
  type TextChange,
  type TitleRange,
  applyChange,
  changeTitle,
  fittingChange,
  mapIndex,
  mapRange,
  readTitle,
  textChange,
} from 'weft-document/title.ts';
import type * as Y from 'yjs';
import type { Cancel } from '../../lib/cancel.ts';
import { fitHeight, followWidth } from './fit-height.ts';

/** After each edit in the field `onFull` gets whether some of what was typed did not fit. */
export function bindTitle(
  field: HTMLTextAreaElement,
  doc: Y.Doc,
  onFull: (isFull: boolean) => void = () => {},
): Cancel {
  const title = titleOf(doc);
  /** The text that field and title last agreed on; differs from `title` only while composing. */
  let shown = '';
  let isComposing = false;
  /** Remote changes that came while composing, oldest first. */
  let missed: TextChange[] = [];

  const show = (text: string, changes: readonly TextChange[]) => {
    shown = text;
    if (field.value === text) {
      fitHeight(field);
      return;
    }
    const move = (at: number) => changes.reduce(mapIndex, at);
    const { selectionStart, selectionEnd, selectionDirection } = field;
    field.value = text;
    fitHeight(field);
    if (document.activeElement === field) {
      field.setSelectionRange(move(selectionStart), move(selectionEnd), selectionDirection);
    }
  };
  const commitTyped = () => {
    if (isComposing) return;
    const { change, isCut } = fittingChange(shown, field.value);
    onFull(isCut);
    const index = missed.reduce((at, other) => mapIndex(at, other), change.index);
    const removed = missed.reduce<readonly TitleRange[]>(
      (ranges, other) => ranges.flatMap((range) => mapRange(range, other)),
      [[change.index, change.index + change.remove]],
    );
    doc.transact(() => {
      for (const [from, to] of removed.toReversed()) changeTitle(doc, { index: from, remove: to - from, insert: '' });
      changeTitle(doc, { index, remove: 0, insert: change.insert });
    }, TITLE_ORIGIN);
    // The field may hold what a title must not (line breaks, too many characters), or lack what others wrote meanwhile.
    const now = readTitle(doc);
    show(now, [textChange(field.value, now)]);
    missed = [];
  };
  const onTitle = (_event: Y.YTextEvent, transaction: Y.Transaction) => {
    if (transaction.origin === TITLE_ORIGIN) return;
    const text = readTitle(doc);
    const change = textChange(isComposing ? missed.reduce(applyChange, shown) : shown, text);
    if (isComposing) missed.push(change);
    else show(text, [change]);
  };
  const onCompositionStart = () => {
    isComposing = true;
  };
  const onCompositionEnd = () => {
    isComposing = false;
    commitTyped();
  };

  // A field that was bound to another document of this page before keeps its caret (L6 in src/sync/SPEC.md).
  show(readTitle(doc), [textChange(field.value, readTitle(doc))]);
  const stopFollowing = followWidth(field);
  title.observe(onTitle);
  field.addEventListener('input', commitTyped);
  field.addEventListener('compositionstart', onCompositionStart);
  field.addEventListener('compositionend', onCompositionEnd);
  return () => {
    if (isComposing) onCompositionEnd();
    stopFollowing();
    title.unobserve(onTitle);
    field.removeEventListener('input', commitTyped);
    field.removeEventListener('compositionstart', onCompositionStart);
    field.removeEventListener('compositionend', onCompositionEnd);
  };
}
