// Asks for the address of a link, for the selected text or at the caret. Typed words find pages of the workspace by
// title.
import Check from 'lucide-react/icons/check';
import ExternalLink from 'lucide-react/icons/external-link';
import FileText from 'lucide-react/icons/file-text';
import Unlink from 'lucide-react/icons/unlink';
import { type FormEvent, type KeyboardEvent, useId, useState } from 'react';
import { parseTypedUrl } from 'weft-document/link-url.ts';
import { BAD_ADDRESS } from '../../texts/field-texts.ts';
import { isComposing } from '../../ui/browser/is-composing.ts';
import { IconButton } from '../../ui/controls/button.tsx';
import { findNames } from '../typed-menu/find-names.ts';
import type { PageName } from '../typed-menu/mention-names.ts';

const MAX_PAGES = 5;

type LinkFormProps = {
  readonly href: string | null;
  readonly pages: readonly PageName[];
  /** Null removes the link. `text`: what a link says where no text is selected; without it, its address. */
  readonly onSet: (href: string | null, text?: string) => void;
  readonly onClose: () => void;
};

export function LinkForm({ href, pages, onSet, onClose }: LinkFormProps) {
  const [text, setText] = useState(href ?? '');
  const [isWrong, setWrong] = useState(false);
  /** The chosen page; before one is chosen, what looks like an address counts as one, and otherwise the first page. */
  const [chosen, setChosen] = useState<number | null>(null);
  const problem = useId();
  const list = useId();
  const words = text.trim();
  const found = words === '' || text === href ? [] : findNames(pages, ({ title }) => title, words, MAX_PAGES);
  const address = words === '' ? null : parseTypedUrl(text);
  const at = chosen ?? (/[.:/@]/u.test(words) ? -1 : 0);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const page = found[at];
    if (page !== undefined) onSet(page.address, page.title);
    else if (address === null && words !== '') setWrong(true);
    else onSet(address);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event.nativeEvent)) return;
    if (event.key === 'Escape') onClose();
    const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (by === 0 || found.length === 0) return;
    event.preventDefault();
    setChosen(Math.min(found.length - 1, Math.max(0, at + by)));
  };
  return (
    <form className="link-form" onSubmit={submit}>
      <input
        autoFocus
        role="combobox"
        aria-label="Link address"
        aria-autocomplete="list"
        aria-expanded={found.length > 0}
        aria-controls={found.length > 0 ? list : undefined}
        aria-activedescendant={at in found ? `${list}-${at}` : undefined}
        aria-invalid={isWrong}
        aria-describedby={isWrong ? problem : undefined}
        placeholder="An address or a page’s title"
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setWrong(false);
          setChosen(null);
        }}
        onKeyDown={onKeyDown}
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
      {found.length > 0 && (
        <PageList id={list} pages={found} at={at} onChoose={({ address: page, title }) => onSet(page, title)} />
      )}
    </form>
  );
}

type PageListProps = {
  /** Each line's id begins with it. */
  readonly id: string;
  readonly pages: readonly PageName[];
  /** The index of the highlighted page; -1 if there is none. */
  readonly at: number;
  readonly onChoose: (page: PageName) => void;
};

const PageList = ({ id, pages, at, onChoose }: PageListProps) => (
  <div id={id} className="link-pages" role="listbox" aria-label="Pages">
    {pages.map((page, index) => (
      <button
        key={page.address}
        id={`${id}-${index}`}
        type="button"
        role="option"
        tabIndex={-1}
        aria-selected={index === at}
        className="menu-item"
        data-highlighted={index === at ? '' : undefined}
        onClick={() => onChoose(page)}
      >
        <FileText className="icon" aria-hidden size={16} />
        <span className="menu-words">{page.title}</span>
        {page.above !== '' && <span className="menu-hint">{page.above}</span>}
      </button>
    ))}
  </div>
);
