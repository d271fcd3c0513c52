// A text to copy: a field that cannot be changed, and a button.
import Copy from 'lucide-react/icons/copy';
import { useEffect, useRef, useState } from 'react';
import { copyText } from '../browser/copy-text.ts';
import { Button } from '../controls/button.tsx';
import { keysAsText } from '../controls/key-caps.tsx';

type CopyFieldProps = {
  readonly label: string;
  readonly value: string;
  /** Selected with the focus in it as soon as it is shown, so that the keys for copying work at once. */
  readonly isSelected?: boolean;
  /** A new secret: copied as soon as it is shown, where the browser allows it, and said to be shown once. */
  readonly isOnce?: boolean;
};

export function CopyField({ label, value, isSelected = false, isOnce = false }: CopyFieldProps) {
  const field = useRef<HTMLInputElement>(null);
  const [state, setState] = useState<'new' | 'copied' | 'refused'>('new');
  const copy = async () => setState((await copyText(value, field.current)) ? 'copied' : 'refused');
  useEffect(() => {
    // A browser that copies only on a press refuses here; the button is there.
    if (isOnce) void copyText(value, null).then((isCopied) => isCopied && setState('copied'));
  }, [isOnce, value]);
  return (
    <div className="copy-field">
      <input
        ref={field}
        className="input grow"
        aria-label={label}
        readOnly
        // The field answers what the person just asked for.
        autoFocus={isSelected}
        value={value}
        onFocus={(event) => event.currentTarget.select()}
      />
      <Button look="primary" onClick={() => void copy()}>
        <Copy className="icon" />
        {state === 'copied' ? 'Copied' : 'Copy'}
      </Button>
      <p role="status" className={state === 'refused' ? undefined : 'sr-only'}>
        {state === 'copied' && 'Copied'}
        {state === 'refused' && `Couldn’t copy. Select the address and press ${keysAsText('Mod-c')}.`}
      </p>
      {isOnce && <p>{state === 'copied' ? 'Copied. It is shown only now.' : 'Copy it now; it is shown once.'}</p>}
    </div>
  );
}
