// Every key that does something of ours, in words: what the help sheet shows. `tests/editor/help-keys` holds it against the
// keys that the editor, its bars and its lists really know.
import { CALLOUT_KINDS, TEXT_KINDS } from './blocks/block-kinds.ts';

/** `page`: the editor's keymap. `find`: the bar that finds. `list`: the lists behind `/`, `@` and `:`. */
export type KeyPlace = 'page' | 'title' | 'find' | 'list' | 'app';

export type Shortcut = {
  readonly does: string;
  /** Each does it; as ProseMirror writes keys: `Mod-Shift-x`. */
  readonly keys: readonly string[];
};

export type ShortcutGroup = {
  readonly title: string;
  readonly place: KeyPlace;
  readonly shortcuts: readonly Shortcut[];
};

const key = (does: string, ...keys: readonly string[]): Shortcut => ({ does, keys });

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

export type Typed = { readonly typed: string; readonly does: string };

/** At the start of a line, with a space behind: what the line becomes. The same as the slash menu says of them. */
export const TYPED_AT_START: readonly Typed[] = [
  ...[...TEXT_KINDS, ...CALLOUT_KINDS].flatMap(({ shortcut: typed, name }) =>
    typed === '' ? [] : [{ typed, does: name }],
  ),
  { typed: '---', does: 'Divider' },
  { typed: '| a | b |', does: 'Table' },
  { typed: '$$', does: 'Formula' },
];

/** Anywhere in a line. */
export const TYPED_ANYWHERE: readonly Typed[] = [
  { typed: '/', does: 'Anything a page can hold' },
  { typed: '@', does: 'People, pages and days' },
  { typed: ':', does: 'Emoji' },
  { typed: '**words**', does: 'Bold' },
  { typed: '*words*', does: 'Italic' },
  { typed: '~~words~~', does: 'Strike through' },
  { typed: '`words`', does: 'Code' },
  { typed: '==words==', does: 'Highlight' },
  { typed: '[words](address)', does: 'Link' },
];
