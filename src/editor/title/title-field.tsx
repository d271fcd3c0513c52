// The page's title as a field of one logical line that wraps.
import { type KeyboardEvent, useCallback } from 'react';
import type * as Y from 'yjs';
import { bindTitle } from './bind-title.ts';

type TitleFieldProps = {
  readonly doc: Y.Doc;
  readonly editable: boolean;
  /** Enter, or the arrow down from the last line. */
  readonly onLeave: () => void;
  readonly onUndo: (direction: 'undo' | 'redo') => void;
};

export function TitleField({ doc, editable, onLeave, onUndo }: TitleFieldProps) {
  const bind = useCallback((field: HTMLTextAreaElement) => bindTitle(field, doc), [doc]);
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.nativeEvent.isComposing) return;
    const { selectionEnd, value } = event.currentTarget;
    const isUndo = (event.ctrlKey || event.metaKey) && !event.altKey && /^[zy]$/i.test(event.key);
    if (isUndo) {
      // The field's own history knows nothing of what others typed and would write it again.
      event.preventDefault();
      onUndo(event.key.toLowerCase() === 'y' || event.shiftKey ? 'redo' : 'undo');
    } else if (event.key === 'Enter' || (event.key === 'ArrowDown' && selectionEnd === value.length)) {
      event.preventDefault();
      onLeave();
    }
  };
  return (
    // The heading of the page for whoever goes from heading to heading.
    <h1>
      <textarea
        ref={bind}
        className="page-title page-title-field"
        aria-label="Page title"
        placeholder="Untitled"
        rows={1}
        dir="auto"
        spellCheck
        autoComplete="off"
        readOnly={!editable}
        onKeyDown={onKeyDown}
      />
    </h1>
  );
}
