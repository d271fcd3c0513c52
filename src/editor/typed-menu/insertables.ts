// What the slash menu offers. Whoever makes a kind of node adds its entry to `INSERTABLES`; the menu knows no more.
import type { Editor } from '@tiptap/core';
import Image from 'lucide-react/icons/image';
import Link2 from 'lucide-react/icons/link-2';
import Minus from 'lucide-react/icons/minus';
import Sigma from 'lucide-react/icons/sigma';
import Table from 'lucide-react/icons/table-2';
import type { LucideIcon } from 'lucide-react';
import { filePickerOf } from '../files/add-files.ts';
import { blockAt } from '../schema/block-at.ts';
import { insertDivider, turnInto } from '../blocks/block-commands.ts';
import { type BlockKind, CALLOUT_KINDS, TEXT_KINDS } from '../blocks/block-kinds.ts';
import { insertCard, insertMath } from '../blocks/insert-nodes.ts';
import { insertTable } from '../tables/table-insert.ts';

export type Insertable = {
  /** Kept on the device among the recent ones: never change it. */
  readonly id: string;
  readonly name: string;
  readonly group: 'Text' | 'Callouts' | 'More';
  readonly icon: LucideIcon;
  /** Found by these too: synonyms, other editors' names for it. */
  readonly words: string;
  /** What typing makes it; shown at the end of the line. */
  readonly typed: string;
  /** Asked each time the menu opens; missing: always offered. */
  readonly isOffered?: (editor: Editor) => boolean;
  /** What was typed for the menu is gone and the caret is where it stood. Everything it does at once is one undo step. */
  readonly run: (editor: Editor) => void;
};

const turning =
  (group: Insertable['group']) =>
  ({ name, icon, turn, searchTerms: words, shortcut: typed }: BlockKind): Insertable => ({
    id: name.toLowerCase().replace(' ', '-'),
    name,
    group,
    icon,
    words,
    typed,
    run: ({ state, view }) => void turnInto(turn)(state, view.dispatch),
  });

export const INSERTABLES: readonly Insertable[] = [
  ...TEXT_KINDS.map(turning('Text')),
  ...CALLOUT_KINDS.map(turning('Callouts')),
  {
    id: 'divider',
    name: 'Divider',
    group: 'More',
    icon: Minus,
    words: 'rule line separator hr',
    typed: '---',
    run: ({ state, view }) => void insertDivider(state, view.dispatch),
  },
  {
    id: 'file',
    name: 'Picture or file',
    group: 'More',
    icon: Image,
    words: 'image photo upload attachment',
    typed: '',
    isOffered: (editor) => filePickerOf(editor) !== null,
    run: (editor) => filePickerOf(editor)?.(),
  },
  {
    id: 'table',
    name: 'Table',
    group: 'More',
    icon: Table,
    words: 'grid rows columns cells spreadsheet',
    typed: '| a | b |',
    isOffered: ({ state }) => blockAt(state.selection.$from) !== null,
    run: ({ state, view }) => void insertTable(state, view.dispatch),
  },
  {
    id: 'math',
    name: 'Formula',
    group: 'More',
    icon: Sigma,
    words: 'math tex latex equation katex',
    typed: '$$',
    run: ({ state, view }) => void insertMath(state, view.dispatch),
  },
  {
    id: 'embed',
    name: 'Link card',
    group: 'More',
    icon: Link2,
    words: 'embed bookmark preview url',
    typed: '',
    run: ({ state, view }) => void insertCard()(state, view.dispatch),
  },
];
