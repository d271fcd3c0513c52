// Short messages at the bottom of the window, one at a time, for 5 s. Never for "saved": the receipt says that.
import { Toast } from '@base-ui/react/toast';
import X from 'lucide-react/icons/x';
import { IconButton } from '../controls/button.tsx';

const TOAST_MS = 5_000;
const manager = Toast.createToastManager();

/** Shows a message. A message that is already shown is not added again. */
export function toast(text: string): void {
  manager.add({ id: text, title: text, timeout: TOAST_MS });
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
  const { toasts } = Toast.useToastManager();
  return toasts.map((one) => (
    <Toast.Root key={one.id} toast={one} className="toast" swipeDirection={['down', 'right']}>
      <Toast.Content className="toast-body">
        <Toast.Title render={<p className="grow" />} />
        <Toast.Close render={<IconButton label="Dismiss" />}>
          <X className="icon" />
        </Toast.Close>
      </Toast.Content>
    </Toast.Root>
  ));
}
