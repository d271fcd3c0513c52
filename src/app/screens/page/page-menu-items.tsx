// What the page's menu offers of its text: finding, a link to a block, its headings where they do not stand beside it, its
// length. Made when the menu opens, so that it says what is true then.
import Check from 'lucide-react/icons/check';
import Link2 from 'lucide-react/icons/link-2';
import Search from 'lucide-react/icons/search';
import Undo2 from 'lucide-react/icons/undo-2';
import { useState } from 'react';
import type { PageTools } from '../../../editor/page-tools.ts';
import { copyText } from '../../../ui/browser/copy-text.ts';
import { MenuItem, MenuLabel, MenuSeparator } from '../../../ui/floating/menu.tsx';
import { toast } from '../../../ui/floating/toast.tsx';
import { useMedia } from '../../../ui/browser/use-media.ts';

/** From here on they stand beside the page (`src/editor/outline/outline.css`). */
const HAS_OUTLINE = '(min-width: 1280px)';

type PageMenuItemsProps = {
  readonly tools: PageTools;
  /** The page's, with its origin. */
  readonly address: string;
  readonly isEditable: boolean;
};

export function PageMenuItems({ tools, address, isEditable }: PageMenuItemsProps) {
  const hasOutline = useMedia(HAS_OUTLINE);
  const [headings] = useState(() => tools.headings());
  const [counts] = useState(() => tools.counts());
  const [lost] = useState(() => tools.lostWords());
  // The menu gives the focus back to its button when it closes; the page wants it after that.
  const after = (run: () => void) => void requestAnimationFrame(() => requestAnimationFrame(run));
  const copyBlock = async () => {
    const block = tools.addressOfBlock(address);
    if (block === null) return;
    const copied = await copyText(block, null);
    toast(copied ? 'Link to the block copied.' : 'This browser lets no page copy.');
  };
  return (
    <>
      <MenuItem icon={<Search className="icon" />} onSelect={() => after(tools.find)}>
        {isEditable ? 'Find and replace' : 'Find in this page'}
      </MenuItem>
      <MenuItem icon={<Link2 className="icon" />} onSelect={() => void copyBlock()}>
        Copy link to the block at the caret
      </MenuItem>
      {lost > 0 && (
        <MenuItem icon={<Undo2 className="icon" />} onSelect={() => after(tools.showLostWords)}>
          Lost words: {lost}
        </MenuItem>
      )}
      {isEditable && (
        <MenuItem
          icon={tools.isSmartTyping() ? <Check className="icon" /> : <span className="icon" />}
          onSelect={() => tools.setSmartTyping(!tools.isSmartTyping())}
        >
          Typographic quotes: {tools.isSmartTyping() ? 'on' : 'off'}
        </MenuItem>
      )}
      {!hasOutline && headings.length > 0 && (
        <>
          <MenuSeparator />
          <MenuLabel>On this page</MenuLabel>
          {headings.map((heading) => (
            <MenuItem key={heading.at} onSelect={() => after(() => tools.goTo(heading))}>
              <span className="cut" style={{ paddingInlineStart: (heading.level - 1) * 12 }}>
                {heading.text}
              </span>
            </MenuItem>
          ))}
        </>
      )}
      <MenuSeparator />
      <MenuLabel>
        {counts.words.toLocaleString()} {counts.words === 1 ? 'word' : 'words'} · {counts.characters.toLocaleString()}{' '}
        characters · {counts.minutes} min to read
      </MenuLabel>
    </>
  );
}
