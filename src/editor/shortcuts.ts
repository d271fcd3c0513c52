// All shortcuts with descriptions, for the help sheet. `tests/editor/help-keys` compares it with the keys that the
// editor, its bars and its menus handle.
import { CALLOUT_KINDS, TEXT_KINDS } from './blocks/block-kinds.ts';

/**
 * `page` is the editor's keymap, `title` the title field, `find` the find bar, `list` the menus of `/`, `@`, `[[` and `:`,
 * `tree` the page tree, `app` everything outside of these.
 */
export type KeyScope = 'page' | 'title' | 'find' | 'list' | 'tree' | 'app';

export type Shortcut = {
  readonly description: string;
  /** Alternatives, in ProseMirror's notation: `Mod-Shift-x`. */
  readonly keys: readonly string[];
};

export type ShortcutGroup = {
  readonly title: string;
  readonly scope: KeyScope;
  readonly shortcuts: readonly Shortcut[];
};

const key = (description: string, ...keys: readonly string[]): Shortcut => ({ description, keys });

export const SHORTCUTS: readonly ShortcutGroup[] = [
  {
    title: 'Write',
    scope: 'page',
    shortcuts: [
      key('Bold', 'Mod-b'),
      key('Italic', 'Mod-i'),
      key('Underline', 'Mod-u'),
      key('Strikethrough', 'Mod-Shift-x', 'Mod-Shift-s'),
      key('Code', 'Mod-e'),
      key('Highlight', 'Mod-Shift-h'),
      key('Make the selected words a link', 'Mod-k'),
      key('New line in the same block', 'Shift-Enter'),
      key('Undo your last edit', 'Mod-z'),
      key('Redo', 'Mod-Shift-z', 'Mod-y'),
    ],
  },
  {
    title: 'Turn into',
    scope: 'page',
    shortcuts: [
      key('Text', 'Mod-Alt-0'),
      key('Heading 1', 'Mod-Alt-1'),
      key('Heading 2', 'Mod-Alt-2'),
      key('Heading 3', 'Mod-Alt-3'),
      key('Numbered', 'Mod-Shift-7'),
      key('Bullet', 'Mod-Shift-8'),
      key('Task', 'Mod-Shift-9'),
      key('Tick a task, fold a toggle, leave code, show a pasted link as a card', 'Mod-Enter'),
    ],
  },
  {
    title: 'Move and select',
    scope: 'page',
    shortcuts: [
      key('Block menu', 'Mod-/'),
      key('Move block up', 'Alt-Shift-ArrowUp'),
      key('Move block down', 'Alt-Shift-ArrowDown'),
      key('Indent', 'Tab'),
      key('Outdent', 'Shift-Tab'),
      key('Select the block; Tab then leaves the text', 'Escape'),
      key('Extend the selection by a block', 'Shift-ArrowUp', 'Shift-ArrowDown'),
      key('Select the block’s text; again: the whole page', 'Mod-a'),
      key('Duplicate', 'Mod-d'),
    ],
  },
  {
    title: 'Tables',
    scope: 'page',
    shortcuts: [
      key('Table menu', 'Mod-/'),
      key('Next cell', 'Tab'),
      key('Previous cell', 'Shift-Tab'),
      key('Cell below', 'Enter'),
      key('Continue after the table', 'Mod-Enter'),
      key('Continue before the table', 'Mod-Shift-Enter'),
      key('Move row up or down', 'Alt-Shift-ArrowUp', 'Alt-Shift-ArrowDown'),
      key('Move column left or right', 'Alt-Shift-ArrowLeft', 'Alt-Shift-ArrowRight'),
      key('Select cells', 'Shift-ArrowLeft', 'Shift-ArrowRight', 'Shift-ArrowUp', 'Shift-ArrowDown'),
    ],
  },
  {
    title: 'A selected picture',
    scope: 'page',
    shortcuts: [key('Wider', '+', '='), key('Narrower', '-')],
  },
  {
    title: 'Find',
    scope: 'page',
    shortcuts: [key('Find and replace', 'Mod-f'), key('Next match', 'Mod-g'), key('Previous match', 'Mod-Shift-g')],
  },
  {
    title: 'Find bar',
    scope: 'find',
    shortcuts: [
      key('Next match', 'Enter'),
      key('Previous match', 'Shift-Enter'),
      key('Match case', 'Alt-c'),
      key('Whole words', 'Alt-w'),
      key('Regular expression', 'Alt-r'),
      key('Close', 'Escape'),
    ],
  },
  {
    title: 'In the /, @, [[ and : menus',
    scope: 'list',
    shortcuts: [
      key('Down and up', 'ArrowDown', 'ArrowUp'),
      key('Six items down or up', 'PageDown', 'PageUp'),
      key('Choose', 'Enter', 'Tab'),
      key('Keep as text', 'Escape'),
    ],
  },
  {
    title: 'Page',
    scope: 'title',
    shortcuts: [key('From the title to the text', 'Enter', 'ArrowDown')],
  },
  {
    title: 'Page tree',
    scope: 'tree',
    shortcuts: [
      key('Next and previous page', 'ArrowDown', 'ArrowUp'),
      key('First and last page', 'Home', 'End'),
      key('Open, then into the pages below', 'ArrowRight'),
      key('Close, then to the page above', 'ArrowLeft'),
      key('New page inside', '+'),
      key('Rename', 'F2'),
      key('Duplicate', 'Mod-d'),
      key('Move among its siblings', 'Alt-ArrowUp', 'Alt-ArrowDown'),
      key('Move into the page before it, or out', 'Alt-ArrowRight', 'Alt-ArrowLeft'),
      key('Move to trash', 'Delete'),
    ],
  },
  {
    title: 'People on this page',
    scope: 'app',
    shortcuts: [
      key('Follow someone', 'f'),
      key('Stop following', 'Escape'),
      key('Next change since your last visit', 'n'),
      key('Previous change since your last visit', 'Shift-n'),
    ],
  },
  {
    title: 'Comments',
    scope: 'app',
    shortcuts: [
      key('Comment on the selected words or the block; in commented words, reply', 'Mod-Alt-m'),
      key('Next and previous comment', 'Alt-ArrowDown', 'Alt-ArrowUp'),
    ],
  },
  {
    title: 'Everywhere',
    scope: 'app',
    shortcuts: [
      key('Find pages and commands', 'Mod-k'),
      key('Search the text of all pages', 'Mod-Shift-f'),
      key('This help (Ctrl+Shift+/ while typing)', '?', 'Ctrl-Shift-/'),
    ],
  },
];

/** Actions of the pointer while a key is held down. */
export const POINTER_ACTIONS: readonly Shortcut[] = [key('Open a link; without the key, use its card', 'Mod-Click')];

export type TypedShortcut = { readonly typed: string; readonly description: string };

/** Typed at the start of a line. Most need a space after them; a table's row needs Enter, and the divider nothing. */
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
  { typed: '/', description: 'Insert anything' },
  { typed: '@', description: 'People, pages and days' },
  { typed: '[[', description: 'Link to a page, or create it' },
  { typed: ':', description: 'Emoji' },
  { typed: '**words**', description: 'Bold' },
  { typed: '*words*', description: 'Italic' },
  { typed: '~~words~~', description: 'Strikethrough' },
  { typed: '`words`', description: 'Code' },
  { typed: '==words==', description: 'Highlight' },
  { typed: '[words](address)', description: 'Link' },
  { typed: '$x^2$', description: 'Inline formula' },
];
