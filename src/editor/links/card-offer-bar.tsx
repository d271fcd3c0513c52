// Offers to show a URL as a card, below a URL that was just pasted on its own line. Typing on dismisses it.
import type { Editor } from '@tiptap/core';
import { useCallback, useSyncExternalStore } from 'react';
import { Button } from '../../ui/controls/button.tsx';
import { keysAsText } from '../../ui/controls/key-caps.tsx';
import { linkToCard } from './card-commands.ts';
import { offeredAt } from './card-offer.ts';
import './card-form.css';

const GAP_PX = 6;

export function CardOfferBar({ editor }: { readonly editor: Editor }) {
  const subscribe = useCallback(
    (run: () => void) => {
      editor.on('transaction', run);
      return () => void editor.off('transaction', run);
    },
    [editor],
  );
  const at = useSyncExternalStore(subscribe, () => (editor.isDestroyed ? null : offeredAt(editor.state)));
  const place = at === null ? null : placeBelow(editor, at);
  if (at === null || place === null) return null;
  const make = () => {
    const now = offeredAt(editor.state);
    if (now !== null) linkToCard(now)(editor.state, editor.view.dispatch);
    editor.view.focus();
  };
  return (
    <div className="pop card-offer" role="status" style={place}>
      <Button look="plain" size="small" onMouseDown={(event) => event.preventDefault()} onClick={make}>
        Show as a card <kbd>{keysAsText('Mod-Enter')}</kbd>
      </Button>
    </div>
  );
}

function placeBelow({ view }: Editor, at: number): { readonly left: number; readonly top: number } | null {
  const block = view.nodeDOM(at);
  const frame = view.dom.closest('.page-text')?.getBoundingClientRect();
  if (!(block instanceof Element) || frame === undefined) return null;
  const { left, bottom } = block.getBoundingClientRect();
  return { left: left - frame.left, top: bottom - frame.top + GAP_PX };
}
