// The links of a page: create one, copy its address once, revoke.
import Plus from 'lucide-react/icons/plus';
import { useRef, useState } from 'react';
import type { CreatedLink, ShareLink } from '../../protocol/answers.ts';
import { textOf } from '../../protocol/errors.ts';
import { linkAddress } from '../../state/workspace/page-address.ts';
import type { LinkList, Sharing } from '../../state/workspace/sharing.ts';
import { Button } from '../../ui/controls/button.tsx';
import { CopyField } from '../../ui/feedback/copy-field.tsx';
import { toast } from '../../ui/floating/toast.tsx';
import { LinkForm } from './link-form.tsx';
import { LinkRow } from './link-row.tsx';

type LinksProps = {
  readonly sharing: Sharing;
  readonly list: LinkList;
  readonly mayManage: boolean;
  readonly origin: string;
};

/** The part below the heading: nothing, the form, or the address of the link that was just created. */
type Step = { readonly is: 'list' } | { readonly is: 'form' } | { readonly is: 'new'; readonly created: CreatedLink };

export function Links({ sharing, list, mayManage, origin }: LinksProps) {
  const { links, error } = list;
  const [step, setStep] = useState<Step>({ is: 'list' });
  const rows = useRef<HTMLUListElement>(null);
  const newLink = useRef<HTMLButtonElement>(null);

  const revoke = async (link: ShareLink) => {
    const answer = await sharing.revoke(link.id);
    if (!answer.ok) return toast(textOf(answer.error));
    if (step.is === 'new' && step.created.link.id === link.id) setStep({ is: 'list' });
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
          <Button ref={newLink} size="small" aria-expanded={step.is === 'form'} onClick={() => setStep({ is: 'form' })}>
            <Plus className="icon" />
            New link
          </Button>
        )}
      </div>
      {step.is === 'form' && mayManage && (
        <LinkForm
          sharing={sharing}
          onCreated={(created) => setStep({ is: 'new', created })}
          onCancel={() => {
            setStep({ is: 'list' });
            newLink.current?.focus();
          }}
        />
      )}
      {step.is === 'new' && (
        <div className="new-link">
          <CopyField
            key={step.created.link.id}
            label="New link address"
            value={linkAddress(origin, step.created.secret)}
            isSelected
          />
          <p>Copy it now; it is shown once.</p>
        </div>
      )}
      {error !== null && <p role="alert">{textOf(error)}</p>}
      <ul ref={rows} tabIndex={-1} aria-label="Links to this page" className="links">
        {links?.map((link) => (
          <LinkRow key={link.id} link={link} onRevoke={mayManage ? () => void revoke(link) : null} />
        ))}
      </ul>
      {links?.length === 0 && step.is === 'list' && (
        <p className="secondary">
          No active links.
          {mayManage && ' A link that can watch shows the page live to anyone who has it, without an account.'}
        </p>
      )}
    </section>
  );
}
