// All shortcuts with descriptions, for the help sheet. `tests/editor/help-keys` compares it with the keys that the
// editor, its bars and its menus handle.
import { CALLOUT_KINDS, TEXT_KINDS } from './blocks/block-kinds.ts';

/** `page` is the editor's keymap, `find` the find bar, `list` the menus of `/`, `@` and `:`. */
export type KeyPlace = 'page' | 'title' | 'find' | 'list' | 'app';

export type Shortcut = {
  readonly description: string;
  /** Alternatives, in ProseMirror's notation: `Mod-Shift-x`. */
  readonly keys: readonly string[];
};

export type ShortcutGroup = {
  readonly title: string;
  readonly place: KeyPlace;
  readonly shortcuts: readonly Shortcut[];
};

const key = (description: string, ...keys: readonly string[]): Shortcut => ({ description, keys });

export const SHORTCUTS: readonly ShortcutGroup[] = [
  {
    title: 'Write',
    place: 'page',
    shortcuts: [
      key('Bold', 'Mod-b'),
      key('Italic', 'Mod-i'),
      key('Underline', 'Mod-u'),
      key('Strike through', 'Mod-Shift-x', 'Mod-Shift-s'),
      key('Code', 'Mod-e'),
      key('Highlight', 'Mod-Shift-h'),
      key('Link', 'Mod-k'),
      key('New line in the same block', 'Shift-Enter'),
      key('Undo your own last edit', 'Mod-z'),
      key('Redo', 'Mod-Shift-z', 'Mod-y'),
    ],
  },
  {
    title: 'Turn into',
    place: 'page',
    shortcuts: [
      key('Text', 'Mod-Alt-0'),
      key('Heading 1', 'Mod-Alt-1'),
      key('Heading 2', 'Mod-Alt-2'),
      key('Heading 3', 'Mod-Alt-3'),
      key('Numbered', 'Mod-Shift-7'),
      key('Bullet', 'Mod-Shift-8'),
      key('Task', 'Mod-Shift-9'),
      key('Tick a task, fold a toggle, leave code, make a card of a pasted address', 'Mod-Enter'),
    ],
  },
  {
    title: 'Move and select',
    place: 'page',
    shortcuts: [
      key('Menu of the block', 'Mod-/'),
      key('Block up', 'Alt-Shift-ArrowUp'),
      key('Block down', 'Alt-Shift-ArrowDown'),
      key('Further in', 'Tab'),
      key('Further out', 'Shift-Tab'),
      key('Select the block; then Tab leaves the text', 'Escape'),
      key('One block more or less', 'Shift-ArrowUp', 'Shift-ArrowDown'),
      key('All of the block, again: all of the page', 'Mod-a'),
      key('Duplicate', 'Mod-d'),
    ],
  },
  {
    title: 'Tables',
    place: 'page',
    shortcuts: [
      key('Menu of the table', 'Mod-/'),
      key('Next cell', 'Tab'),
      key('Cell before', 'Shift-Tab'),
      key('Cell below', 'Enter'),
      key('On behind the table', 'Mod-Enter'),
      key('On before the table', 'Mod-Shift-Enter'),
      key('Row up or down', 'Alt-Shift-ArrowUp', 'Alt-Shift-ArrowDown'),
      key('Column left or right', 'Alt-Shift-ArrowLeft', 'Alt-Shift-ArrowRight'),
      key('Select cells', 'Shift-ArrowLeft', 'Shift-ArrowRight', 'Shift-ArrowUp', 'Shift-ArrowDown'),
    ],
  },
  {
    title: 'A selected picture',
    place: 'page',
    shortcuts: [key('Wider', '+', '='), key('Narrower', '-')],
  },
  {
    title: 'Find',
    place: 'page',
    shortcuts: [key('Find and replace', 'Mod-f'), key('Next match', 'Mod-g'), key('Match before', 'Mod-Shift-g')],
  },
  {
    title: 'In the bar that finds',
    place: 'find',
    shortcuts: [
      key('Next match', 'Enter'),
      key('Match before', 'Shift-Enter'),
      key('Match case', 'Alt-c'),
      key('Whole words', 'Alt-w'),
      key('Regular expression', 'Alt-r'),
      key('Close', 'Escape'),
    ],
  },
  {
    title: 'In a list behind / @ or :',
    place: 'list',
    shortcuts: [
      key('Down and up', 'ArrowDown', 'ArrowUp'),
      key('Six further', 'PageDown', 'PageUp'),
      key('Take it', 'Enter', 'Tab'),
      key('Keep as text', 'Escape'),
    ],
  },
  {
    title: 'Page',
    place: 'title',
    shortcuts: [key('From the title to the text', 'Enter', 'ArrowDown')],
  },
  {
    title: 'Everywhere',
    place: 'app',
    shortcuts: [key('This help; in a text with Ctrl', '?', 'Ctrl-Shift-/')],
  },
];

export type TypedShortcut = { readonly typed: string; readonly description: string };

/** Typed at the start of a line and followed by a space, as the slash menu shows them. */
export const TYPED_AT_START: readonly TypedShortcut[] = [
  ...[...TEXT_KINDS, ...CALLOUT_KINDS].flatMap(({ shortcut: typed, name }) =>
    typed === '' ? [] : [{ typed, description: name }],
  ),
  { typed: '---', description: 'Divider' },
  { typed: '| a | b |', description: 'Table' },
  { typed: '$$', description: 'Formula' },
];

/** Typed anywhere in a line. */
export const TYPED_ANYWHERE: readonly TypedShortcut[] = [
  { typed: '/', description: 'Anything a page can hold' },
  { typed: '@', description: 'People, pages and days' },
  { typed: ':', description: 'Emoji' },
  { typed: '**words**', description: 'Bold' },
  { typed: '*words*', description: 'Italic' },
  { typed: '~~words~~', description: 'Strike through' },
  { typed: '`words`', description: 'Code' },
  { typed: '==words==', description: 'Highlight' },
  { typed: '[words](address)', description: 'Link' },
];
