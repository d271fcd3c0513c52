// The menu of block kinds: for the selected blocks, or for a new one.
import type { Editor } from '@tiptap/core';
import type { Command } from '@tiptap/pm/state';
import {
  Code,
  Heading1,
  Heading2,
  Heading3,
  Info,
  List,
  ListCollapse,
  ListOrdered,
  ListTodo,
  Lightbulb,
  Link2,
  type LucideIcon,
  Minus,
  OctagonAlert,
  Pilcrow,
  Quote,
  Sigma,
  TriangleAlert,
} from 'lucide-react';
import type { ReactElement } from 'react';
import { Menu, MenuItem, MenuRule } from '../ui/menu.tsx';
import { type Turn, insertDivider, turnInto } from './block-commands.ts';
import { insertCard, insertMath } from './insert-nodes.ts';
import type { Facts } from './editor-facts.ts';

type Entry = { readonly name: string; readonly icon: LucideIcon; readonly turn: Turn };

const TEXT: readonly Entry[] = [
  { name: 'Text', icon: Pilcrow, turn: { kind: 'paragraph' } },
  { name: 'Heading 1', icon: Heading1, turn: { kind: 'heading', level: 1 } },
  { name: 'Heading 2', icon: Heading2, turn: { kind: 'heading', level: 2 } },
  { name: 'Heading 3', icon: Heading3, turn: { kind: 'heading', level: 3 } },
  { name: 'Bullet', icon: List, turn: { kind: 'bullet' } },
  { name: 'Numbered', icon: ListOrdered, turn: { kind: 'numbered' } },
  { name: 'Task', icon: ListTodo, turn: { kind: 'task' } },
  { name: 'Toggle', icon: ListCollapse, turn: { kind: 'toggle' } },
  { name: 'Quote', icon: Quote, turn: { kind: 'quote' } },
  { name: 'Code', icon: Code, turn: { kind: 'code' } },
];
const CALLOUTS: readonly Entry[] = [
  { name: 'Note', icon: Info, turn: { kind: 'callout', tone: 'note' } },
  { name: 'Tip', icon: Lightbulb, turn: { kind: 'callout', tone: 'tip' } },
  { name: 'Care', icon: TriangleAlert, turn: { kind: 'callout', tone: 'care' } },
  { name: 'Stop', icon: OctagonAlert, turn: { kind: 'callout', tone: 'stop' } },
];

/** What the first selected block is called in this menu. */
export const kindName = (facts: Facts): string =>
  [...TEXT, ...CALLOUTS].find(
    ({ turn }) =>
      turn.kind === facts.kind &&
      (turn.kind !== 'heading' || turn.level === facts.level) &&
      (turn.kind !== 'callout' || turn.tone === facts.tone),
  )?.name ?? 'Text';

export function TurnMenu({ editor, trigger }: { readonly editor: Editor; readonly trigger: ReactElement }) {
  const item = ({ name, icon: Icon, turn }: Entry) => (
    <MenuItem
      key={name}
      icon={<Icon className="icon" aria-hidden size={16} />}
      onSelect={() => run(editor, turnInto(turn))}
    >
      {name}
    </MenuItem>
  );
  return (
    <Menu trigger={trigger}>
      {TEXT.map(item)}
      <MenuRule />
      {CALLOUTS.map(item)}
      <MenuRule />
      <MenuItem icon={<Minus className="icon" aria-hidden size={16} />} onSelect={() => run(editor, insertDivider)}>
        Divider
      </MenuItem>
      <MenuItem icon={<Sigma className="icon" aria-hidden size={16} />} onSelect={() => run(editor, insertMath)}>
        Formula
      </MenuItem>
      <MenuItem icon={<Link2 className="icon" aria-hidden size={16} />} onSelect={() => run(editor, insertCard())}>
        Link card
      </MenuItem>
    </Menu>
  );
}

function run(editor: Editor, command: Command): void {
  command(editor.state, editor.view.dispatch);
  // The menu gives the focus back to its button when it closes; the words want it after that.
  requestAnimationFrame(() => editor.view.focus());
}
