// Edits the URL of the selected text's link.
import { Check, ExternalLink, Unlink } from 'lucide-react';
import { type FormEvent, useId, useState } from 'react';
import { parseTypedUrl } from '../../document/link-url.ts';
import { BAD_ADDRESS } from '../../protocol/errors.ts';
import { isComposing } from '../../ui/browser/is-composing.ts';
import { IconButton } from '../../ui/controls/button.tsx';

type LinkFormProps = {
  readonly href: string | null;
  /** Null removes the link. */
  readonly onSet: (href: string | null) => void;
  readonly onClose: () => void;
};

export function LinkForm({ href, onSet, onClose }: LinkFormProps) {
  const [text, setText] = useState(href ?? '');
  const [isWrong, setWrong] = useState(false);
  const problem = useId();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const typed = text.trim() === '' ? null : parseTypedUrl(text);
    if (typed === null && text.trim() !== '') setWrong(true);
    else onSet(typed);
  };
  return (
    <form className="link-form" onSubmit={submit}>
      <input
        autoFocus
        aria-label="Link address"
        aria-invalid={isWrong}
        aria-describedby={isWrong ? problem : undefined}
        placeholder="Paste or type an address"
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setWrong(false);
        }}
        onKeyDown={(event) => {
          if (event.key === 'Escape' && !isComposing(event.nativeEvent)) onClose();
        }}
      />
      <IconButton label="Add link" type="submit">
        <Check className="icon" aria-hidden size={16} />
      </IconButton>
      {isWrong && (
        <span id={problem} className="link-problem" role="alert">
          {BAD_ADDRESS}
        </span>
      )}
      {href !== null && (
        <>
          <IconButton label="Open link" onClick={() => window.open(href, '_blank', 'noopener,noreferrer')}>
            <ExternalLink className="icon" aria-hidden size={16} />
          </IconButton>
          <IconButton label="Remove link" onClick={() => onSet(null)}>
            <Unlink className="icon" aria-hidden size={16} />
          </IconButton>
        </>
      )}
    </form>
  );
}
