// Actions for the link that contains the caret: open, edit, copy, remove. The focus stays in the text when it appears.
import type { Editor } from '@tiptap/core';
import Copy from 'lucide-react/icons/copy';
import ExternalLink from 'lucide-react/icons/external-link';
import Pencil from 'lucide-react/icons/pencil';
import Unlink from 'lucide-react/icons/unlink';
import { useEffect, useState } from 'react';
import { parseLinkUrl } from 'weft-document/link-url.ts';
import { copyText } from '../../ui/browser/copy-text.ts';
import { IconButton } from '../../ui/controls/button.tsx';
import { keysAsText } from '../../ui/controls/key-caps.tsx';
import { toast } from '../../ui/floating/toast.tsx';
import type { FloatOptions, FloatAnchor } from '../floating/float-at-text.ts';
import { useFloatAtText } from '../floating/use-float-at-text.ts';
import { typedRangeOf } from '../typed-menu/typed-range.ts';
import { offeredAt } from './card-offer.ts';
import { linkAround, removeLinkHere, selectForLink } from './link-commands.ts';
import './link-card.css';

type LinkCardProps = {
  readonly editor: Editor;
  readonly uiCommands: EventTarget;
  /** Navigates to a URL of this app without reloading it. */
  readonly visit: (address: string) => void;
};

type LinkAtCaret = { readonly from: number; readonly href: string };

export function LinkCard({ editor, uiCommands, visit }: LinkCardProps) {
  const here = useLinkAtCaret(editor);
  const card = useFloatAtText(editor, AT_LINK);
  if (here === null) return null;
  const { href } = here;
  const address = href.startsWith('/') ? `${location.origin}${href}` : href;
  return (
    <div
      ref={card}
      className="at-text pop link-card"
      role="toolbar"
      aria-label="Link"
      onMouseDown={(event) => event.preventDefault()}
    >
      <a
        className="link-card-address truncate"
        href={href}
        title={address}
        target="_blank"
        rel="noopener noreferrer nofollow"
        onClick={(event) => {
          if (!href.startsWith('/') || event.ctrlKey || event.metaKey) return;
          event.preventDefault();
          visit(href);
        }}
      >
        <ExternalLink className="icon" aria-hidden size={14} />
        <span className="truncate">{href.startsWith('/') ? 'Open page' : shortened(href)}</span>
      </a>
      <span className="bar-gap" />
      <IconButton
        label="Edit link"
        onClick={() => {
          if (selectForLink(editor.state, editor.view.dispatch)) uiCommands.dispatchEvent(new Event('link'));
        }}
      >
        <Pencil className="icon" aria-hidden size={16} />
      </IconButton>
      <IconButton
        label="Copy link"
        onClick={() =>
          void copyText(address, null).then((copied) =>
            toast(copied ? 'Link copied.' : `Couldn’t copy. Select the address and press ${keysAsText('Mod-c')}.`),
          )
        }
      >
        <Copy className="icon" aria-hidden size={16} />
      </IconButton>
      <IconButton
        label="Remove link"
        onClick={() => {
          removeLinkHere(editor.state, editor.view.dispatch);
          editor.view.focus();
        }}
      >
        <Unlink className="icon" aria-hidden size={16} />
      </IconButton>
    </div>
  );
}

/** The same object as long as the link and its position stay the same. */
function useLinkAtCaret(editor: Editor): LinkAtCaret | null {
  const [here, setHere] = useState<LinkAtCaret | null>(null);
  useEffect(() => {
    const update = () => {
      const now = readLink(editor);
      setHere((before) => (before?.from === now?.from && before?.href === now?.href ? before : now));
    };
    // Tiptap reports focus and blur at a moment when no element has the focus yet.
    const later = () => void setTimeout(update);
    editor.on('transaction', update);
    editor.on('focus', later);
    editor.on('blur', later);
    return () => {
      editor.off('transaction', update);
      editor.off('focus', later);
      editor.off('blur', later);
    };
  }, [editor]);
  return here;
}

function readLink(editor: Editor): LinkAtCaret | null {
  if (editor.isDestroyed || !editor.isEditable) return null;
  // The offer to show the link as a card is in the same place.
  if (offeredAt(editor.state) !== null) return null;
  const isAtWork = editor.view.hasFocus() || document.activeElement?.closest('.link-card') != null;
  if (!isAtWork || !editor.state.selection.empty || typedRangeOf(editor.state) !== null) return null;
  const range = linkAround(editor.state);
  const href = parseLinkUrl(range?.href);
  return range === null || href === null ? null : { from: range.from, href };
}

const AT_LINK: FloatOptions = { anchorOf: linkAnchor };

/** Starts where the link starts, below the line of the caret, because a long link may span several lines. */
function linkAnchor({ state, view }: Editor): FloatAnchor | null {
  const range = linkAround(state);
  if (range === null) return null;
  const { left } = view.coordsAtPos(range.from, 1);
  const { top, bottom } = view.coordsAtPos(state.selection.head, -1);
  return { box: new DOMRect(left, top, 0, bottom - top), placement: 'bottom-start' };
}

const shortened = (href: string): string =>
  href.replace(/^(?:https?:\/\/(?:www\.)?|mailto:|tel:)/, '').replace(/\/$/, '');
