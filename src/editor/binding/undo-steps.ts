// Splits undo into steps of about one line: a step ends at Enter, when the caret is moved, and between two words when
// someone types without a pause.
import { Extension } from '@tiptap/core';
import { Plugin } from '@tiptap/pm/state';
import type * as Y from 'yjs';
import { isComposing } from '../../ui/browser/is-composing.ts';

const MAX_STEP_MS = 3_000;
const CARET_KEYS = /^(?:Arrow|Home$|End$|Page)/;

export const undoSteps = (undo: Y.UndoManager) =>
  Extension.create({
    name: 'undoSteps',
    // Runs before the keys that write.
    priority: 1100,
    addProseMirrorPlugins() {
      let stepStartedAt = 0;
      const onStep = ({ type }: { readonly type: string }) => {
        if (type === 'undo') stepStartedAt = performance.now();
      };
      const end = () => {
        undo.stopCapturing();
        return false;
      };
      return [
        new Plugin({
          view: () => {
            undo.on('stack-item-added', onStep);
            return { destroy: () => undo.off('stack-item-added', onStep) };
          },
          props: {
            handleDOMEvents: {
              mousedown: end,
              keydown(_view, event) {
                const { key } = event;
                const isPause = key === ' ' && performance.now() - stepStartedAt > MAX_STEP_MS;
                return !isComposing(event) && (key === 'Enter' || CARET_KEYS.test(key) || isPause) ? end() : false;
              },
            },
          },
        }),
      ];
    },
  });
