// The headings of a watched page, and how it shows what is new: a menu in its bar, and on wide screens the headings beside it.
import List from 'lucide-react/icons/list';
import type { Block } from 'weft-document/blocks/block.ts';
import { outlineOf } from 'weft-document/blocks/outline.ts';
import { listedHeadings } from '../../editor/outline/listed-headings.ts';
import { IconButton } from '../../ui/controls/button.tsx';
import { Menu, MenuCheckItem, MenuItem, MenuLabel, MenuSeparator } from '../../ui/floating/menu.tsx';
import { changeReadingSettings, useReadingSettings } from './reading-settings.ts';
import '../../editor/outline/outline.css';

type HeadingsProps = { readonly blocks: readonly Block[]; readonly onGoTo: (key: string) => void };

export function ReadingMenu({ blocks, onGoTo }: HeadingsProps) {
  const { marksNewWords } = useReadingSettings();
  return (
    <Menu
      align="end"
      trigger={
        <IconButton label="Contents">
          <List className="icon" aria-hidden size={18} />
        </IconButton>
      }
    >
      <HeadingItems blocks={blocks} onGoTo={onGoTo} />
      <MenuCheckItem checked={marksNewWords} onCheckedChange={(isOn) => changeReadingSettings({ marksNewWords: isOn })}>
        Mark new words
      </MenuCheckItem>
    </Menu>
  );
}

function HeadingItems({ blocks, onGoTo }: HeadingsProps) {
  const { listed, more } = listedHeadings(outlineOf(blocks));
  if (listed.length === 0) return null;
  return (
    <>
      {listed.map(({ key, level, text }) => (
        <MenuItem key={key} onSelect={() => onGoTo(key)}>
          <span className="reading-heading" data-level={level} dir="auto">
            {text}
          </span>
        </MenuItem>
      ))}
      {more !== null && <MenuLabel>{more}</MenuLabel>}
      <MenuSeparator />
    </>
  );
}

export function WatchOutline({ blocks, onGoTo }: HeadingsProps) {
  const { listed, more } = listedHeadings(outlineOf(blocks));
  if (listed.length === 0) return null;
  return (
    <nav className="outline" aria-label="On this page">
      <ol>
        {listed.map(({ key, level, text }) => (
          <li key={key} data-level={level}>
            <button type="button" title={text} onClick={() => onGoTo(key)}>
              {text}
            </button>
          </li>
        ))}
      </ol>
      {more !== null && <p className="outline-more">{more}</p>}
    </nav>
  );
}
