// A link that was just created. Its address is shown this once.
import Copy from 'lucide-react/icons/copy';
import { useId, useRef, useState } from 'react';
import type { CreatedLink } from '../../protocol/answers.ts';
import { linkAddress } from '../../state/workspace/page-address.ts';
import { Button } from '../../ui/controls/button.tsx';
import { copyText } from '../../ui/browser/copy-text.ts';
import { keysAsText } from '../../ui/controls/key-caps.tsx';

type NewLinkProps = { readonly created: CreatedLink; readonly origin: string };

export function NewLink({ created, origin }: NewLinkProps) {
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const [state, setState] = useState<'new' | 'copied' | 'refused'>('new');
  const address = linkAddress(origin, created.secret);
  const copy = async () => setState((await copyText(address, field.current)) ? 'copied' : 'refused');
  return (
    <div className="new-link">
      <label className="sr-only" htmlFor={id}>
        {created.link.role === 'editor' ? 'Edit link' : 'Watch link'}
      </label>
      <div>
        <input
          id={id}
          ref={field}
          className="input"
          readOnly
          value={address}
          aria-describedby={`${id}-why`}
          onFocus={(event) => event.currentTarget.select()}
        />
        <Button look="primary" onClick={() => void copy()}>
          <Copy className="icon" />
          Copy
        </Button>
      </div>
      <p id={`${id}-why`} role={state === 'new' ? undefined : 'status'}>
        {state === 'copied' && 'Copied. '}
        {state === 'refused' && `Couldn’t copy. Select the address and press ${keysAsText('Mod-c')}. `}
        {state !== 'copied' && 'Copy it now. '}
        Weft keeps only a fingerprint of it and can’t show it again.
      </p>
    </div>
  );
}
