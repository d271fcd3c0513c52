// Runs random commands in a real editor: every command that a user has, chosen by seeded numbers.
import { type Command, NodeSelection, type Selection, TextSelection } from '@tiptap/pm/state';
import {
  type TargetKind,
  insertDivider,
  shiftIndent,
  startEmptyPage,
  toggleChecked,
  turnInto,
} from '../../../src/editor/blocks/block-commands.ts';
import { insertCard, insertMath } from '../../../src/editor/blocks/insert-nodes.ts';
import { pasteInto } from './clipboard.ts';
import type { OpenedPage } from './opened-page.ts';

const WORDS = [
  'a',
  'b',
  ' ',
  'word',
  'two words ',
  '\n',
  '😀',
  '👩‍🚀',
  'é',
  '# ',
  '- ',
  '1. ',
  '[] ',
  '> ',
  '``` ',
  '---',
  '$$ ',
];
const KEYS = ['Enter', 'Enter', 'Enter', 'Backspace', 'Backspace', 'Delete', 'Delete', 'Tab'];
const MARKS = ['bold', 'italic', 'underline', 'strike', 'code', 'highlight'];
const PASTED = [
  '<p>one line</p>',
  '<p>first</p><p><b>second</b></p>',
  '<h1>A</h1><ul><li>b<ul><li>c</li></ul></li></ul><hr><pre>d\ne</pre>',
  '<ul><li><input type="checkbox" checked> t</li></ul><blockquote>q</blockquote>',
];
const TURNS: readonly TargetKind[] = [
  { kind: 'paragraph' },
  { kind: 'heading', level: 1 },
  { kind: 'heading', level: 3 },
  { kind: 'bullet' },
  { kind: 'numbered' },
  { kind: 'task' },
  { kind: 'quote' },
  { kind: 'callout', tone: 'tip' },
  { kind: 'code' },
  { kind: 'toggle' },
];

/** Runs one command and returns its name. */
export function runRandomCommand(page: OpenedPage, random: () => number): string {
  const { editor, undo } = page;
  const { view } = editor;
  const below = (limit: number) => Math.floor(random() * limit);
  const pick = <T>(all: readonly T[]): T => all[below(all.length)] ?? fail();
  const run = (command: Command) => command(view.state, view.dispatch, view);
  const place = () => {
    const $at = view.state.doc.resolve(below(view.state.doc.content.size + 1));
    // No browser puts a caret into the middle of a character.
    const isInside = $at.parent.isTextblock && /^[\uDC00-\uDFFF]/.test($at.parent.textContent.slice($at.parentOffset));
    return TextSelection.near(isInside ? view.state.doc.resolve($at.pos + 1) : $at);
  };
  const select = (selection: Selection) => view.dispatch(view.state.tr.setSelection(selection));
  // Undo steps depend on the seed, not on the clock.
  undo.captureTimeout = Number.POSITIVE_INFINITY;
  if (below(3) === 0) undo.stopCapturing();
  if (view.state.doc.childCount === 0) run(startEmptyPage);
  const number = below(100);
  if (number < 30) return typeWords(page, pick(WORDS));
  if (number < 48) return pressKey(page, pick(KEYS), below(5) === 0);
  if (number < 60) {
    select(place());
    return 'caret';
  }
  if (number < 66) {
    select(TextSelection.between(place().$from, place().$to));
    return 'range';
  }
  if (number < 68) {
    const at = below(view.state.doc.childCount);
    select(NodeSelection.create(view.state.doc, startOf(view.state.doc.content, at)));
    return 'node';
  }
  if (number < 70) {
    view.dispatch(view.state.tr.deleteSelection());
    return 'delete';
  }
  if (number < 76) {
    run(turnInto(pick(TURNS)));
    return 'turn';
  }
  if (number < 79) {
    run(shiftIndent(below(3) === 0 ? -1 : 1));
    return 'indent';
  }
  if (number < 81) {
    run(toggleChecked);
    return 'tick';
  }
  if (number < 87) {
    const mark = pick(MARKS);
    editor.commands.toggleMark(mark);
    return mark;
  }
  if (number < 89) {
    run(pick([insertDivider, insertMath, insertCard('https://weft.dev/a', 'card')]));
    return 'insert';
  }
  if (number < 92) {
    pasteInto(page, { 'text/html': pick(PASTED) });
    return 'paste';
  }
  if (number < 97) {
    undo.undo();
    return 'undo';
  }
  undo.redo();
  return 'redo';
}

function typeWords({ editor: { view } }: OpenedPage, words: string): string {
  for (const character of words.length > 3 ? [words] : words) {
    const { from, to } = view.state.selection;
    const insert = () => view.state.tr.insertText(character, from, to);
    // Goes through input rules, like real typing.
    if (view.someProp('handleTextInput', (handle) => handle(view, from, to, character, insert)) !== true)
      view.dispatch(insert());
  }
  return `type ${JSON.stringify(words)}`;
}

function pressKey({ editor: { view } }: OpenedPage, key: string, isOther: boolean): string {
  const modifiers = key === 'Tab' || key === 'Enter' ? { shiftKey: isOther } : {};
  view.someProp('handleKeyDown', (handle) => handle(view, new KeyboardEvent('keydown', { key, ...modifiers })));
  return key;
}

function startOf(content: OpenedPage['editor']['state']['doc']['content'], index: number): number {
  let at = 0;
  for (let before = 0; before < index; before++) at += content.child(before).nodeSize;
  return at;
}

function fail(): never {
  throw new Error('nothing to choose from');
}
