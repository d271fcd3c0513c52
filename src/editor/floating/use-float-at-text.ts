// `floatAtText` as a React ref.
import type { Editor } from '@tiptap/core';
import { type RefCallback, useCallback } from 'react';
import { type FloatOptions, floatAtText } from './float-at-text.ts';

/** The ref of an element to keep beside the text. `options` is a constant: another object starts anew. */
export function useFloatAtText(editor: Editor, options: FloatOptions): RefCallback<HTMLElement> {
  return useCallback(
    (element: HTMLElement | null) => (element === null ? undefined : floatAtText(editor, element, options)),
    [editor, options],
  );
}
