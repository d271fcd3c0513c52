// The kinds of text blocks with their names and icons, for every menu that offers them.
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
import type { LucideIcon } from 'lucide-react';
import type { Turn } from './block-commands.ts';
import type { Facts } from './editor-facts.ts';

export type BlockKind = {
  readonly name: string;
  readonly icon: LucideIcon;
  readonly turn: Turn;
  /** Search terms besides the name. */
  readonly words: string;
  /** The characters that create this kind when typed at the start of a line. */
  readonly typed: string;
};

export const TEXT_KINDS: readonly BlockKind[] = [
  { name: 'Text', icon: Pilcrow, turn: { kind: 'paragraph' }, words: 'paragraph plain', typed: '' },
  { name: 'Heading 1', icon: Heading1, turn: { kind: 'heading', level: 1 }, words: 'title h1 #', typed: '#' },
  { name: 'Heading 2', icon: Heading2, turn: { kind: 'heading', level: 2 }, words: 'title h2 ##', typed: '##' },
  { name: 'Heading 3', icon: Heading3, turn: { kind: 'heading', level: 3 }, words: 'title h3 ###', typed: '###' },
  { name: 'Bullet', icon: List, turn: { kind: 'bullet' }, words: 'list unordered point dash', typed: '-' },
  { name: 'Numbered', icon: ListOrdered, turn: { kind: 'numbered' }, words: 'list ordered ol', typed: '1.' },
  { name: 'Task', icon: ListTodo, turn: { kind: 'task' }, words: 'todo to-do checkbox check list', typed: '[ ]' },
  { name: 'Toggle', icon: ListCollapse, turn: { kind: 'toggle' }, words: 'fold collapse details', typed: '>>' },
  { name: 'Quote', icon: Quote, turn: { kind: 'quote' }, words: 'citation blockquote', typed: '>' },
  { name: 'Code', icon: Code, turn: { kind: 'code' }, words: 'snippet pre program', typed: '```' },
];

export const CALLOUT_KINDS: readonly BlockKind[] = [
  { name: 'Note', icon: Info, turn: { kind: 'callout', tone: 'note' }, words: 'callout info', typed: '!!!' },
  { name: 'Tip', icon: Lightbulb, turn: { kind: 'callout', tone: 'tip' }, words: 'callout hint idea', typed: '!!!tip' },
  {
    name: 'Care',
    icon: TriangleAlert,
    turn: { kind: 'callout', tone: 'care' },
    words: 'callout warning caution',
    typed: '!!!care',
  },
  {
    name: 'Stop',
    icon: OctagonAlert,
    turn: { kind: 'callout', tone: 'stop' },
    words: 'callout danger error',
    typed: '!!!stop',
  },
];

/** The name of the first selected block's kind. */
export const kindName = (facts: Pick<Facts, 'kind' | 'level' | 'tone'>): string =>
  [...TEXT_KINDS, ...CALLOUT_KINDS].find(
    ({ turn }) =>
      turn.kind === facts.kind &&
      (turn.kind !== 'heading' || turn.level === facts.level) &&
      (turn.kind !== 'callout' || turn.tone === facts.tone),
  )?.name ?? 'Text';
