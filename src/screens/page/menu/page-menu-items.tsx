// The page menu's items about the page's text: find, link to a block, recovered text, smart quotes, headings, word count. They
// mount when the menu opens and read the editor's state once, at that moment.

import Link2 from 'lucide-react/icons/link-2';
import Search from 'lucide-react/icons/search';
import TableOfContents from 'lucide-react/icons/table-of-contents';
import Undo2 from 'lucide-react/icons/undo-2';
import { useEffect, useState } from 'react';
import type { TextCounts } from 'weft-document/body/text-counts.ts';
import { listedHeadings } from '../../../editor/outline/listed-headings.ts';
import type { PageTools } from '../../../editor/page-tools.ts';
import { counted } from '../../../lib/text/counted.ts';
import { copyText } from '../../../ui/browser/copy-text.ts';
import { useMedia } from '../../../ui/browser/use-media.ts';
import { MenuCheckItem, MenuItem, MenuLabel, MenuSeparator, SubMenu } from '../../../ui/floating/menu.tsx';
import { toast } from '../../../ui/floating/toast.tsx';

/** From this width on the headings stand beside the page (`src/editor/outline/outline.css`). */
const HAS_OUTLINE = '(min-width: 1280px)';

type Props = { readonly tools: PageTools };

/** A closing menu returns the focus to its button; these actions move the focus into the page after that. */
const afterMenuCloses = (run: () => void) => void requestAnimationFrame(() => requestAnimationFrame(run));

export const FindItem = ({ tools, isEditable }: Props & { readonly isEditable: boolean }) => (
  <MenuItem icon={<Search className="icon" />} onSelect={() => afterMenuCloses(tools.find)}>
    {isEditable ? 'Find and replace' : 'Find in this page'}
  </MenuItem>
);

export function RecoveredTextItem({ tools }: Props) {
  const [count] = useState(() => tools.countRecoveredText());
  if (count === 0) return null;
  return (
    <MenuItem icon={<Undo2 className="icon" />} onSelect={() => afterMenuCloses(tools.showRecoveredText)}>
      Recovered text: {count}
    </MenuItem>
  );
}

/** `address` is the page's URL. */
export function BlockLinkItem({ tools, address }: Props & { readonly address: string }) {
  const copyBlock = async () => {
    const block = tools.addressOfBlock(address);
    if (block === null) return;
    const copied = await copyText(block, null);
    toast(copied ? 'Link to the block copied.' : 'Couldn’t copy the link.');
  };
  return (
    <MenuItem icon={<Link2 className="icon" />} onSelect={() => void copyBlock()}>
      Copy link to this block
    </MenuItem>
  );
}

export const SmartQuotesItem = ({ tools }: Props) => (
  <MenuCheckItem checked={tools.isSmartTyping()} onCheckedChange={(on) => tools.setSmartTyping(on)}>
    Smart quotes
  </MenuCheckItem>
);

export function HeadingsItem({ tools }: Props) {
  const hasOutline = useMedia(HAS_OUTLINE);
  const [headings] = useState(() => tools.headings());
  if (hasOutline || headings.length === 0) return null;
  const { listed, more } = listedHeadings(headings);
  return (
    <SubMenu icon={<TableOfContents className="icon" aria-hidden />} label="On this page">
      {listed.map((heading) => (
        <MenuItem key={heading.at} onSelect={() => afterMenuCloses(() => tools.goTo(heading))}>
          <span className="truncate" style={{ paddingInlineStart: (heading.level - 1) * 12 }}>
            {heading.text}
          </span>
        </MenuItem>
      ))}
      {more !== null && <MenuLabel>{more}</MenuLabel>}
    </SubMenu>
  );
}

/** Counting takes a moment on a long page. */
export function Counts({ tools }: Props) {
  const [counts, setCounts] = useState<TextCounts | null>(null);
  useEffect(() => void tools.counts().then(setCounts), [tools]);
  return (
    <>
      <MenuSeparator />
      <MenuLabel>{counts === null ? 'Counting words…' : wordsOf(counts)}</MenuLabel>
    </>
  );
}

const wordsOf = ({ words, characters, minutes }: TextCounts): string =>
  `${counted(words, 'word')} · ${characters.toLocaleString()} characters · ${minutes} min to read`;
