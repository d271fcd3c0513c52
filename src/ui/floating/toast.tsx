// Short messages at the bottom of the window, one at a time, for 5 s, or 10 s with a button. Never for "saved": the receipt says
// that.
import { Toast } from '@base-ui/react/toast';
import X from 'lucide-react/icons/x';
import { Button, IconButton } from '../controls/button.tsx';

const TOAST_MS = 5_000;
const ACTION_MS = 10_000;
/** `action`: the words of the button. */
type Data = { readonly action: string; readonly run: (() => void) | undefined };
const manager = Toast.createToastManager<Data>();

/** The newest message that offers an Undo, until `closeUndoToast`; it may be gone already. */
let undoable: string | null = null;

/**
 * Shows a message, with a button if there is something to take back or to go on with. A message with the text of one
 * that is shown takes its place.
 */
export function toast(text: string, run?: () => void, action = 'Undo'): void {
  manager.add({ id: text, title: text, timeout: run ? ACTION_MS : TOAST_MS, data: { run, action } });
}

/** `undo` takes back what the message says, and answers with the text of an error, or null. */
export function toastWithUndo(text: string, undo: () => Promise<string | null>): void {
  undoable = text;
  toast(text, () => void undo().then((problem) => problem !== null && toast(problem)));
}

/** Closes the message that offers an Undo: its step was undone with Ctrl Z instead. */
export function closeUndoToast(): void {
  if (undoable !== null) manager.close(undoable);
  undoable = null;
}

export function Toasts() {
  return (
    <Toast.Provider toastManager={manager} limit={1}>
      <Toast.Portal>
        <Toast.Viewport className="toasts">
          <ToastList />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  );
}

function ToastList() {
  const { toasts } = Toast.useToastManager<Data>();
  return toasts.map((one) => (
    <Toast.Root key={one.id} toast={one} className="toast" swipeDirection={['down', 'right']}>
      <Toast.Content className="toast-body">
        <Toast.Title render={<p className="grow" />} />
        {/* Base UI hides its own buttons from assistive technology until someone goes to the toasts. */}
        {one.data?.run && (
          <Button
            onClick={() => {
              one.data?.run?.();
              manager.close(one.id);
            }}
          >
            {one.data.action}
          </Button>
        )}
        <Toast.Close render={<IconButton label="Dismiss" />}>
          <X className="icon" />
        </Toast.Close>
      </Toast.Content>
    </Toast.Root>
  ));
}
