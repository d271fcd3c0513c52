// The entries of the slash menu. A kind of text or callout is added in `block-kinds.ts`, anything else here.
import type { Editor } from '@tiptap/core';
import type { LucideIcon } from 'lucide-react';
import FilePlus from 'lucide-react/icons/file-plus';
import Image from 'lucide-react/icons/image';
import Link2 from 'lucide-react/icons/link-2';
import ListTree from 'lucide-react/icons/list-tree';
import Minus from 'lucide-react/icons/minus';
import Sigma from 'lucide-react/icons/sigma';
import Table from 'lucide-react/icons/table-2';
import { insertDivider, turnInto } from '../blocks/block-commands.ts';
import { type BlockKind, CALLOUT_KINDS, TEXT_KINDS } from '../blocks/block-kinds.ts';
import { insertCardAndAsk, insertMath, insertSubpages } from '../blocks/insert-nodes.ts';
import { filePickerOf } from '../files/add-files.ts';
import { blockAt } from '../schema/block-at.ts';
import { insertTable } from '../tables/table-insert.ts';
import { newPageInserterOf } from './new-pages.ts';

export type Insertable = {
  /** Stored on the device among the recent entries, so never change it. */
  readonly id: string;
  readonly name: string;
  readonly group: 'Text' | 'Callouts' | 'More';
  readonly icon: LucideIcon;
  /** Search terms: synonyms, and names in other editors. */
  readonly searchTerms: string;
  /** The characters that create it when typed, or empty; shown at the end of the line. */
  readonly shortcut: string;
  /** Checked each time the menu opens. Without it the entry is always offered. */
  readonly isOffered?: (editor: Editor) => boolean;
  /**
   * Inserts it at the caret, or turns the block into it. The slash menu has removed the typed text by then, and makes
   * one undo step of all that this does synchronously.
   */
  readonly run: (editor: Editor) => void;
};

const turnEntry =
  (group: Insertable['group']) =>
  ({ name, icon, turn, searchTerms, shortcut }: BlockKind): Insertable => ({
    id: turn.kind === 'callout' ? turn.tone : name.toLowerCase().replace(' ', '-'),
    name,
    group,
    icon,
    searchTerms,
    shortcut,
    run: ({ state, view }) => void turnInto(turn)(state, view.dispatch),
  });

export const INSERTABLES: readonly Insertable[] = [
  ...TEXT_KINDS.map(turnEntry('Text')),
  ...CALLOUT_KINDS.map(turnEntry('Callouts')),
  {
    id: 'page',
    name: 'Page',
    group: 'More',
    icon: FilePlus,
    searchTerms: 'new subpage child document',
    shortcut: '',
    isOffered: (editor) => newPageInserterOf(editor) !== null,
    run(editor) {
      const { from, to } = editor.state.selection;
      newPageInserterOf(editor)?.({ from, to }, '', true);
    },
  },
  {
    id: 'subpages',
    name: 'Subpages',
    group: 'More',
    icon: ListTree,
    searchTerms: 'pages list children below toc index',
    shortcut: '',
    isOffered: (editor) => newPageInserterOf(editor) !== null,
    run: ({ state, view }) => void insertSubpages(state, view.dispatch),
  },
  {
    id: 'divider',
    name: 'Divider',
    group: 'More',
    icon: Minus,
    searchTerms: 'rule line separator hr',
    shortcut: '---',
    run: ({ state, view }) => void insertDivider(state, view.dispatch),
  },
  {
    id: 'file',
    name: 'Picture or file',
    group: 'More',
    icon: Image,
    searchTerms: 'image photo upload attachment',
    shortcut: '',
    isOffered: (editor) => filePickerOf(editor) !== null,
    run: (editor) => filePickerOf(editor)?.(),
  },
  {
    id: 'table',
    name: 'Table',
    group: 'More',
    icon: Table,
    searchTerms: 'grid rows columns cells spreadsheet',
    shortcut: '| a | b |',
    isOffered: ({ state }) => blockAt(state.selection.$from) !== null,
    run: ({ state, view }) => void insertTable(state, view.dispatch),
  },
  {
    id: 'math',
    name: 'Formula',
    group: 'More',
    icon: Sigma,
    searchTerms: 'math tex latex equation katex',
    shortcut: '$$',
    run: ({ state, view }) => void insertMath(state, view.dispatch),
  },
  {
    id: 'embed',
    name: 'Link card',
    group: 'More',
    icon: Link2,
    searchTerms: 'embed bookmark preview url',
    shortcut: '',
    run: insertCardAndAsk,
  },
];
