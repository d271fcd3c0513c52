// The kinds of text blocks with their names and icons, for every menu that offers them.
import type { LucideIcon } from 'lucide-react';
import Code from 'lucide-react/icons/code';
import Heading1 from 'lucide-react/icons/heading-1';
import Heading2 from 'lucide-react/icons/heading-2';
import Heading3 from 'lucide-react/icons/heading-3';
import Info from 'lucide-react/icons/info';
import Lightbulb from 'lucide-react/icons/lightbulb';
import List from 'lucide-react/icons/list';
import ListCollapse from 'lucide-react/icons/list-collapse';
import ListOrdered from 'lucide-react/icons/list-ordered';
import ListTodo from 'lucide-react/icons/list-todo';
import OctagonAlert from 'lucide-react/icons/octagon-alert';
import Pilcrow from 'lucide-react/icons/pilcrow';
import Quote from 'lucide-react/icons/quote';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import type { TargetKind } from './block-commands.ts';
import type { ToolbarState } from './toolbar-state.ts';

export type BlockKind = {
  readonly name: string;
  readonly icon: LucideIcon;
  readonly turn: TargetKind;
  /** Search terms besides the name. */
  readonly searchTerms: string;
  /** The characters that create this kind when typed at the start of a line. */
  readonly shortcut: string;
};

export const TEXT_KINDS: readonly BlockKind[] = [
  { name: 'Text', icon: Pilcrow, turn: { kind: 'paragraph' }, searchTerms: 'paragraph plain', shortcut: '' },
  { name: 'Heading 1', icon: Heading1, turn: { kind: 'heading', level: 1 }, searchTerms: 'title h1 #', shortcut: '#' },
  {
    name: 'Heading 2',
    icon: Heading2,
    turn: { kind: 'heading', level: 2 },
    searchTerms: 'title h2 ##',
    shortcut: '##',
  },
  {
    name: 'Heading 3',
    icon: Heading3,
    turn: { kind: 'heading', level: 3 },
    searchTerms: 'title h3 ###',
    shortcut: '###',
  },
  { name: 'Bullet', icon: List, turn: { kind: 'bullet' }, searchTerms: 'list unordered point dash', shortcut: '-' },
  { name: 'Numbered', icon: ListOrdered, turn: { kind: 'numbered' }, searchTerms: 'list ordered ol', shortcut: '1.' },
  {
    name: 'Task',
    icon: ListTodo,
    turn: { kind: 'task' },
    searchTerms: 'todo to-do checkbox check list',
    shortcut: '[ ]',
  },
  {
    name: 'Toggle',
    icon: ListCollapse,
    turn: { kind: 'toggle' },
    searchTerms: 'fold collapse details',
    shortcut: '>>',
  },
  { name: 'Quote', icon: Quote, turn: { kind: 'quote' }, searchTerms: 'citation blockquote', shortcut: '>' },
  { name: 'Code', icon: Code, turn: { kind: 'code' }, searchTerms: 'snippet pre program', shortcut: '```' },
];

export const CALLOUT_KINDS: readonly BlockKind[] = [
  { name: 'Note', icon: Info, turn: { kind: 'callout', tone: 'note' }, searchTerms: 'callout info', shortcut: '!!!' },
  {
    name: 'Tip',
    icon: Lightbulb,
    turn: { kind: 'callout', tone: 'tip' },
    searchTerms: 'callout hint idea',
    shortcut: '!!!tip',
  },
  {
    name: 'Warning',
    icon: TriangleAlert,
    turn: { kind: 'callout', tone: 'care' },
    searchTerms: 'callout care caution',
    shortcut: '!!!warning',
  },
  {
    name: 'Danger',
    icon: OctagonAlert,
    turn: { kind: 'callout', tone: 'stop' },
    searchTerms: 'callout stop error',
    shortcut: '!!!danger',
  },
];

/** The name of the first selected block's kind. */
export const kindName = (style: Pick<ToolbarState, 'kind' | 'level' | 'tone'>): string =>
  [...TEXT_KINDS, ...CALLOUT_KINDS].find(
    ({ turn }) =>
      turn.kind === style.kind &&
      (turn.kind !== 'heading' || turn.level === style.level) &&
      (turn.kind !== 'callout' || turn.tone === style.tone),
  )?.name ?? 'Text';
