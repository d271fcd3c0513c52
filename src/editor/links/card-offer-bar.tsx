// Offers to show a URL as a card, below a URL that was just pasted on its own line. Typing on dismisses it.
import type { Editor } from '@tiptap/core';
import { Button } from '../../ui/controls/button.tsx';
import { keysAsText } from '../../ui/controls/key-caps.tsx';
import { useEditorValue } from '../blocks/use-editor-value.ts';
import type { FloatOptions, FloatAnchor } from '../floating/float-at-text.ts';
import { useFloatAtText } from '../floating/use-float-at-text.ts';
import { linkToCard } from './card-commands.ts';
import { offeredAt } from './card-offer.ts';
import './card-form.css';

export function CardOfferBar({ editor }: { readonly editor: Editor }) {
  const at = useEditorValue(editor, offerIn);
  const bar = useFloatAtText(editor, BELOW_BLOCK);
  if (at === null) return null;
  const make = () => {
    const now = offeredAt(editor.state);
    if (now !== null) linkToCard(now)(editor.state, editor.view.dispatch);
    editor.view.focus();
  };
  return (
    <div ref={bar} className="at-text pop card-offer" role="status">
      <Button look="plain" size="small" onMouseDown={(event) => event.preventDefault()} onClick={make}>
        Show as a card <kbd>{keysAsText('Mod-Enter')}</kbd>
      </Button>
    </div>
  );
}

const offerIn = ({ isDestroyed, state }: Editor) => (isDestroyed ? null : offeredAt(state));

const BELOW_BLOCK: FloatOptions = { anchorOf: blockAnchor };

function blockAnchor({ state, view }: Editor): FloatAnchor | null {
  const at = offeredAt(state);
  const block = at === null ? null : view.nodeDOM(at);
  return block instanceof Element ? { box: block.getBoundingClientRect(), placement: 'bottom-start' } : null;
}
