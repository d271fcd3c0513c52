// A guest's form for an account, over the page that they are on.
import { Dialog } from '../../../ui/floating/dialog.tsx';
import { toast } from '../../../ui/floating/toast.tsx';
import { BecomeAccount } from './become-account.tsx';

export function BecomeAccountDialog({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title="Create account" size="small" open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <section>
        <p className="secondary">You sign in anywhere with it, and everything you wrote stays yours.</p>
        <BecomeAccount
          onDone={() => {
            toast('Your account is ready.');
            onClose();
          }}
        />
      </section>
    </Dialog>
  );
}
