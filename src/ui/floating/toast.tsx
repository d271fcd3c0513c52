// Short messages at the bottom of the window, one at a time, for 5 s, or 10 s with a button. Never for "saved": the receipt says
// that.
import { useEffect } from 'react';
import { baseUi, loadBaseUi, useBaseUi } from './late-base-ui.tsx';
import type { ToastMessage } from './shown-toasts.tsx';

const TOAST_MS = 5_000;
const ACTION_MS = 10_000;

/** Until then, messages wait for the code that shows them. */
let isShowing = false;
let waiting: ToastMessage[] = [];

/** The message that offers an Undo, until it is taken back in another way. */
let undoable: string | null = null;

/**
 * Shows a message, with a button if there is something to take back or to go on with. A message that is already shown is not
 * added again.
 */
export function toast(text: string, run?: () => void, action = 'Undo'): void {
  const message = { id: text, title: text, timeout: run ? ACTION_MS : TOAST_MS, data: { run, action } };
  if (isShowing) return void baseUi().toastManager.add(message);
  waiting.push(message);
  void loadBaseUi();
}

/** `undo` takes back what the message says, and answers with the text of an error, or null. */
export function toastWithUndo(text: string, undo: () => Promise<string | null>): void {
  undoable = text;
  toast(text, () => void undo().then((problem) => problem !== null && toast(problem)));
}

/** Its step was taken back by a key. */
export function closeUndoToast(): void {
  if (undoable !== null && isShowing) baseUi().toastManager.close(undoable);
  undoable = null;
}

export function Toasts() {
  const base = useBaseUi(false);
  // The manager has its listener by now.
  useEffect(() => {
    if (base === null) return;
    isShowing = true;
    for (const message of waiting) base.toastManager.add(message);
    waiting = [];
  }, [base]);
  return base === null ? null : <base.ShownToasts />;
}
