// Edits a link card: URL and title. Also opens it or turns it back into a link.
import { type FormEvent, useState } from 'react';
import { parseTypedUrl } from '../../document/link-url.ts';
import { BAD_ADDRESS } from '../../protocol/errors.ts';
import { Button } from '../../ui/controls/button.tsx';
import { PopoverAtElement } from '../../ui/floating/popover.tsx';
import './card-form.css';

export type CardFields = { readonly url: string; readonly title: string };

type CardFormProps = {
  readonly anchor: Element;
  readonly card: CardFields;
  readonly onSave: (card: CardFields) => void;
  readonly onTurnIntoLink: () => void;
  readonly onClose: () => void;
};

export function CardForm({ anchor, card, onSave, onTurnIntoLink, onClose }: CardFormProps) {
  const [typed, setTyped] = useState(card);
  const [isWrong, setWrong] = useState(false);
  const save = (event: FormEvent) => {
    event.preventDefault();
    const url = parseTypedUrl(typed.url);
    if (url === null) setWrong(true);
    else onSave({ url, title: typed.title.trim() });
  };
  return (
    <PopoverAtElement label="Link card" anchor={anchor} className="card-form" onClose={onClose}>
      <form onSubmit={save}>
        <label className="field">
          <span className="label">Address</span>
          <input
            className="input"
            inputMode="url"
            autoComplete="off"
            spellCheck={false}
            aria-invalid={isWrong}
            value={typed.url}
            onChange={(event) => {
              setTyped({ ...typed, url: event.target.value });
              setWrong(false);
            }}
          />
          {isWrong && <span role="alert">{BAD_ADDRESS}</span>}
        </label>
        <label className="field">
          <span className="label">Title</span>
          <input
            className="input"
            autoComplete="off"
            placeholder="Title of the link"
            maxLength={200}
            value={typed.title}
            onChange={(event) => setTyped({ ...typed, title: event.target.value })}
          />
        </label>
        <footer>
          {card.url !== '' && (
            <>
              <Button look="plain" size="small" onClick={() => window.open(card.url, '_blank', 'noopener,noreferrer')}>
                Open
              </Button>
              <Button look="plain" size="small" onClick={onTurnIntoLink}>
                Turn into a link
              </Button>
            </>
          )}
          <Button type="submit" look="primary" size="small">
            Save
          </Button>
        </footer>
      </form>
    </PopoverAtElement>
  );
}
