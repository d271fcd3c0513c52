// Edits a link card: URL and title. Also opens it or turns it back into a link.
import { useState } from 'react';
import { parseTypedUrl } from 'weft-document/link-url.ts';
import { MAX_TITLE_LENGTH } from '../../protocol/limits.ts';
import { BAD_ADDRESS } from '../../texts/field-texts.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Form } from '../../ui/controls/form.tsx';
import { TextField } from '../../ui/controls/text-field.tsx';
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
  const save = () => {
    const url = parseTypedUrl(typed.url);
    if (url === null) setWrong(true);
    else onSave({ url, title: typed.title.trim() });
  };
  return (
    <PopoverAtElement label="Link card" anchor={anchor} className="card-form" onClose={onClose}>
      <Form onSend={save}>
        <TextField
          label="Address"
          inputMode="url"
          autoComplete="off"
          spellCheck={false}
          problem={isWrong ? BAD_ADDRESS : null}
          value={typed.url}
          onChange={({ currentTarget }) => {
            setTyped({ ...typed, url: currentTarget.value });
            setWrong(false);
          }}
        />
        <TextField
          label="Title"
          autoComplete="off"
          placeholder="Title of the link"
          maxCharacters={MAX_TITLE_LENGTH}
          value={typed.title}
          onChange={({ currentTarget }) => setTyped({ ...typed, title: currentTarget.value })}
        />
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
      </Form>
    </PopoverAtElement>
  );
}
