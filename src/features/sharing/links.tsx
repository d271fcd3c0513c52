// The links of a page. Managers create them, copy the address of a new one until the dialog closes, and revoke them.
import Plus from 'lucide-react/icons/plus';
import { useRef, useState } from 'react';
import type { CreatedLink, ShareLink } from '../../protocol/answers.ts';
import type { LinkList, Sharing } from '../../state/workspace/access/sharing.ts';
import { linkAddress } from '../../state/workspace/page-address.ts';
import { textOf } from '../../texts/error-texts.ts';
import { Button } from '../../ui/controls/button.tsx';
import { CopyField } from '../../ui/feedback/copy-field.tsx';
import { toast } from '../../ui/floating/toast.tsx';
import { NewLinkForm } from './link-form.tsx';
import { LinkRow } from './link-row.tsx';

type LinksProps = {
  readonly sharing: Sharing;
  readonly list: LinkList;
  readonly mayManage: boolean;
  readonly origin: string;
};

export function Links({ sharing, list, mayManage, origin }: LinksProps) {
  const { links, error } = list;
  const [isMaking, setMaking] = useState(false);
  /** Their addresses stay while the dialog is open, the newest first: they are shown nowhere else. */
  const [created, setCreated] = useState<readonly CreatedLink[]>([]);
  // A link can also end elsewhere: when the page is restricted, or by another manager.
  const shown = created.filter(({ link }) => links === null || links.some(({ id }) => id === link.id));
  const rows = useRef<HTMLUListElement>(null);
  const newLink = useRef<HTMLButtonElement>(null);

  const revoke = async (link: ShareLink) => {
    const answer = await sharing.revoke(link.id);
    if (!answer.ok) return toast(textOf(answer.error));
    toast(
      link.role === 'viewer'
        ? 'Link revoked. Watchers were disconnected.'
        : 'Link revoked. People who joined with it were disconnected.',
    );
    // The pressed button is gone: keep the focus in the list.
    rows.current?.focus();
  };

  return (
    <section aria-label="Links">
      <div className="links-head">
        <h3>Links</h3>
        {mayManage && (
          <Button ref={newLink} size="small" aria-expanded={isMaking} onClick={() => setMaking(true)}>
            <Plus className="icon" />
            New link
          </Button>
        )}
      </div>
      {isMaking && mayManage && (
        <NewLinkForm
          sharing={sharing}
          onCreated={(one) => {
            setMaking(false);
            setCreated((before) => [one, ...before]);
          }}
          onCancel={() => {
            setMaking(false);
            newLink.current?.focus();
          }}
        />
      )}
      {shown.map(({ link, secret }, at) => (
        <div key={link.id} className="new-link">
          <CopyField label="New link address" value={linkAddress(origin, secret)} isSelected={at === 0} isOnce />
        </div>
      ))}
      {error !== null && <p role="alert">{textOf(error)}</p>}
      <ul ref={rows} tabIndex={-1} aria-label="Links to this page" className="links">
        {links?.map((link) => (
          <LinkRow key={link.id} link={link} onRevoke={mayManage ? () => void revoke(link) : null} />
        ))}
      </ul>
      {links?.length === 0 && !isMaking && (
        <p className="secondary">
          No active links.
          {mayManage && ' A link that can watch shows the page live to anyone who has it, without an account.'}
        </p>
      )}
    </section>
  );
}
