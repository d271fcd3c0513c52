// The dialog for sharing a page: who can see it, and its links, to create, copy once and revoke.
import Users from 'lucide-react/icons/users';
import { useRef, useState } from 'react';
import type { CreatedLink, ShareLink } from '../../protocol/answers.ts';
import { textOf } from '../../protocol/errors.ts';
import { useValue } from '../../state/hooks.ts';
import type { Sharing } from '../../state/workspace/sharing.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Dialog } from '../../ui/floating/dialog.tsx';
import { toast } from '../../ui/floating/toast.tsx';
import { EXPIRY_CHOICES, type Expiry, expiresAt } from './link-expiry.ts';
import { LinkRow } from './link-row.tsx';
import { NewLink } from './new-link.tsx';
import './sharing.css';

type ShareDialogProps = {
  readonly title: string;
  readonly sharing: Sharing;
  readonly mayManage: boolean;
  /** The name of the workspace whose members can all see the page; null when the page is restricted. */
  readonly openToWorkspace: string | null;
  readonly origin: string;
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
};

export function ShareDialog(props: ShareDialogProps) {
  return (
    <Dialog title={`Share “${props.title}”`} open={props.open} onOpenChange={props.onOpenChange}>
      {props.openToWorkspace !== null && (
        <section>
          <div className="access-row">
            <span className="tag" data-size="large" data-more>
              <Users className="icon" />
            </span>
            <p className="grow">
              Everyone in {props.openToWorkspace}
              <small>members of the workspace</small>
            </p>
            <span className="secondary">Can edit</span>
          </div>
        </section>
      )}
      <Links sharing={props.sharing} mayManage={props.mayManage} origin={props.origin} />
    </Dialog>
  );
}

type LinksProps = Pick<ShareDialogProps, 'sharing' | 'mayManage' | 'origin'>;

/** A component of its own, so that closing the dialog forgets the new link. */
function Links({ sharing, mayManage, origin }: LinksProps) {
  const { links, error } = useValue(sharing.atom);
  const [created, setCreated] = useState<CreatedLink | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [expiry, setExpiry] = useState<Expiry>('never');
  const list = useRef<HTMLUListElement>(null);

  const create = async (role: ShareLink['role']) => {
    setBusy(true);
    const answer = await sharing.create(role, expiresAt(expiry, Date.now()));
    setBusy(false);
    if (answer.ok) setCreated(answer.value);
    else toast(textOf(answer.error));
  };
  const revoke = async (link: ShareLink) => {
    const answer = await sharing.revoke(link.id);
    if (!answer.ok) return toast(textOf(answer.error));
    if (created?.link.id === link.id) setCreated(null);
    toast(
      link.role === 'viewer'
        ? 'Link revoked. Watchers were disconnected.'
        : 'Link revoked. People who joined with it were disconnected.',
    );
    // The pressed button is gone: keep the focus in the list.
    list.current?.focus();
  };

  return (
    <section>
      <h3>Links</h3>
      {mayManage ? (
        <div className="link-makers">
          <Button size="small" disabled={isBusy} onClick={() => void create('viewer')}>
            Create watch link
          </Button>
          <Button size="small" disabled={isBusy} onClick={() => void create('editor')}>
            Create edit link
          </Button>
          <label>
            Expires
            <select
              value={expiry}
              onChange={(event) =>
                setExpiry(EXPIRY_CHOICES.find((one) => one.expiry === event.currentTarget.value)?.expiry ?? 'never')
              }
            >
              {EXPIRY_CHOICES.map((one) => (
                <option key={one.expiry} value={one.expiry}>
                  {one.label}
                </option>
              ))}
            </select>
          </label>
        </div>
      ) : (
        <p className="secondary">Only managers can change this.</p>
      )}
      {created !== null && <NewLink key={created.link.id} created={created} origin={origin} />}
      {error !== null && <p role="alert">{textOf(error)}</p>}
      <ul ref={list} tabIndex={-1} aria-label="Links to this page" className="links">
        {links?.map((link) => (
          <LinkRow key={link.id} link={link} onRevoke={mayManage ? () => void revoke(link) : null} />
        ))}
      </ul>
      {links?.length === 0 && mayManage && (
        <p className="secondary">
          No active links. A watch link shows the page live to anyone who has it, without an account.
        </p>
      )}
    </section>
  );
}
