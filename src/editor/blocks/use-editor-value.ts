// A value that a component reads from the editor.
import type { Editor } from '@tiptap/core';
import { useCallback, useSyncExternalStore } from 'react';

const EVENTS = ['transaction', 'focus', 'blur', 'update'] as const;

/** Reads from an editor whenever it changes. `read` must return the same object as long as nothing is new. */
export function useEditorValue<T>(editor: Editor, read: (editor: Editor) => T): T {
  const subscribe = useCallback(
    (run: () => void) => {
      for (const event of EVENTS) editor.on(event, run);
      return () => {
        for (const event of EVENTS) editor.off(event, run);
      };
    },
    [editor],
  );
  return useSyncExternalStore(subscribe, () => read(editor));
}
