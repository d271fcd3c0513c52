// How the messages of `toast.tsx` look.
import { Toast } from '@base-ui/react/toast';
import X from 'lucide-react/icons/x';
import { Button, IconButton } from '../controls/button.tsx';

/** `action`: the words of the button. */
type Data = { readonly action: string; readonly run: (() => void) | undefined };

export const toastManager = Toast.createToastManager<Data>();
export type ToastMessage = Parameters<typeof toastManager.add>[0] & { readonly data: Data };

export function ShownToasts() {
  return (
    <Toast.Provider toastManager={toastManager} limit={1}>
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
              toastManager.close(one.id);
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
