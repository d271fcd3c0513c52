// The page's title: a field with one logical line that wraps.
import { type KeyboardEvent, useCallback, useId, useState } from 'react';
import type * as Y from 'yjs';
import { UNTITLED } from '../../texts/content-texts.ts';
import { TITLE_FULL } from '../../texts/field-texts.ts';
import { isComposing } from '../../ui/browser/is-composing.ts';
import { bindTitle } from './bind-title.ts';

type TitleFieldProps = {
  readonly doc: Y.Doc;
  readonly editable: boolean;
  /** Called on Enter, or on arrow down at the end of the title. */
  readonly onLeave: () => void;
  readonly onUndo: (direction: 'undo' | 'redo') => void;
};

export function TitleField({ doc, editable, onLeave, onUndo }: TitleFieldProps) {
  const [isFull, setFull] = useState(false);
  const note = useId();
  const bind = useCallback((field: HTMLTextAreaElement) => bindTitle(field, doc, setFull), [doc]);
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (isComposing(event.nativeEvent)) return;
    const { selectionEnd, value } = event.currentTarget;
    const isUndo = (event.ctrlKey || event.metaKey) && !event.altKey && /^[zy]$/i.test(event.key);
    if (isUndo) {
      // The field's own history does not know what others typed and would write it again.
      event.preventDefault();
      onUndo(event.key.toLowerCase() === 'y' || event.shiftKey ? 'redo' : 'undo');
    } else if (event.key === 'Enter' || (event.key === 'ArrowDown' && selectionEnd === value.length)) {
      event.preventDefault();
      onLeave();
    }
  };
  return (
    <>
      {/* A heading, so that screen reader users find the page by jumping between headings. */}
      <h1>
        <textarea
          ref={bind}
          className="page-title page-title-field"
          aria-label="Page title"
          placeholder={UNTITLED}
          rows={1}
          dir="auto"
          spellCheck
          autoComplete="off"
          readOnly={!editable}
          aria-describedby={note}
          onKeyDown={onKeyDown}
          onBlur={() => setFull(false)}
        />
      </h1>
      <p id={note} className="page-title-note" role="status">
        {isFull ? TITLE_FULL : ''}
      </p>
    </>
  );
}
