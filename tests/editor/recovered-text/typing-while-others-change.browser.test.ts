// One person types in a block or cell while another one changes it: every character ends in the page or on a card, and no
// character in a text that it was not typed in. Every kind of place with every change of it, at moments drawn from a seed.
import { beforeEach, expect, test } from 'vitest';
import { textOfRuns } from 'weft-document/blocks/block.ts';
import { parseBody } from 'weft-document/body/parse-body.ts';
import { turnInto } from '../../../src/editor/blocks/block-commands.ts';
import { BlockSelection, positionOf } from '../../../src/editor/blocks/block-selection.ts';
import { moveTo } from '../../../src/editor/blocks/move-selected-blocks.ts';
import { breakBlock, eraseBackward, eraseForward } from '../../../src/editor/blocks/writing-commands.ts';
import '../../../src/editor/recovered-text/deleted-blocks.ts';
import { recoveredTextsOf } from '../../../src/editor/recovered-text/recovered-text.ts';
import {
  clearLine,
  deleteLines,
  deleteTable,
  moveLine,
  tableTarget,
  wholeLine,
} from '../../../src/editor/tables/table-commands.ts';
import { prng } from '../../../src/lib/prng.ts';
import { pasteInto } from '../../support/editor/clipboard.ts';
import { type OpenedPage, openPage, wait } from '../../support/editor/opened-page.ts';
import { pageSeed } from '../../support/editor/page-seed.ts';
import { type PageSession, connect, pageSession } from '../../support/editor/page-session.ts';
import { caretInCell, contextOf, tableSeed } from '../../support/editor/tables.ts';

/** The first editor loads the code that watches for deleted blocks. */
let isLoaded = false;
beforeEach(() => localStorage.clear());

/** No other text of the page has one of these characters, and each is typed once. */
const CHARACTERS = 'ZYXWVUTSRQ';
/** A word of each text. The typed characters may stand beside that of their own text only. */
const FOREIGN = ['above', 'child', 'below', 'north', 'south', 'east', 'west', 'head', 'before', 'after', 'pasted'];

type Place = { readonly seed: Uint8Array; readonly caret: (page: OpenedPage, offset: number) => void };
type Change = {
  readonly run: (page: OpenedPage) => void;
  /** The text is one with others afterwards. */
  readonly joins?: boolean;
  /** Characters that the other one has seen are cut, from a text that stays. */
  readonly cuts?: boolean;
  /** The text is whole afterwards, wherever it is. */
  readonly keeps?: boolean;
};

const block = (kind: string, more: Readonly<Record<string, string | number | boolean>> = {}): Place => ({
  seed: pageSeed(
    'above it all',
    { kind, ...more, text: kind === 'code' ? 'own words\nof this' : 'own words of this' },
    { text: 'child of it', indent: kind === 'code' || kind === 'heading' ? 0 : 1 },
    'below it all',
  ),
  caret: (page, offset) => page.caret(1, offset),
});

const BLOCKS: Readonly<Record<string, Place>> = {
  paragraph: block('paragraph'),
  heading: block('heading', { level: 2 }),
  bullet: block('bullet'),
  numbered: block('numbered'),
  task: block('task'),
  toggle: block('toggle'),
  callout: block('callout', { tone: 'note' }),
  quote: block('quote'),
  code: block('code'),
};
const CELL: Place = {
  seed: tableSeed(['head north east', 'west own south', 'x y z']),
  caret: (page, offset) => caretInCell(page, 1, 1, Math.min(offset, 3)),
};

const startOf = ({ editor }: OpenedPage, index: number) => positionOf(editor.state.doc, index);
const runCommand = (page: OpenedPage, command: typeof eraseBackward) =>
  command(page.editor.state, page.editor.view.dispatch, page.editor.view);
const erase = (page: OpenedPage, from: number, to: number) =>
  page.editor.view.dispatch(page.editor.state.tr.delete(from, to));
const selectBlocks = ({ editor }: OpenedPage, from: number, to: number) =>
  editor.view.dispatch(editor.state.tr.setSelection(BlockSelection.between(editor.state.doc, from, to)));

const BLOCK_CHANGES: Readonly<Record<string, Change>> = {
  'deletes it': { run: (page) => erase(page, startOf(page, 1), startOf(page, 2)) },
  'deletes it with its body': { run: (page) => erase(page, startOf(page, 1), startOf(page, 3)) },
  'deletes the page': { run: (page) => erase(page, 0, page.editor.state.doc.content.size) },
  'moves it up': { run: (page) => void moveTo(page.editor.view, page.undo, { from: 1, to: 2 }, 0), keeps: true },
  'moves it down': { run: (page) => void moveTo(page.editor.view, page.undo, { from: 1, to: 2 }, 4), keeps: true },
  'moves it and deletes it': {
    run: (page) => {
      moveTo(page.editor.view, page.undo, { from: 1, to: 3 }, 4);
      erase(page, startOf(page, 2), startOf(page, 3));
    },
  },
  'cuts its words': { run: (page) => erase(page, startOf(page, 1) + 1, startOf(page, 2) - 1), cuts: true },
  'cuts across it': { run: (page) => erase(page, startOf(page, 0) + 3, startOf(page, 2) + 3), joins: true, cuts: true },
  'cuts from the middle of it': {
    run: (page) => erase(page, startOf(page, 1) + 6, startOf(page, 3) + 3),
    joins: true,
    cuts: true,
  },
  'joins it to the one above': {
    run: (page) => {
      page.caret(1, 0);
      runCommand(page, eraseBackward);
      page.caret(1, 0);
      runCommand(page, eraseBackward);
    },
    joins: true,
  },
  'joins the next to it': {
    run: (page) => {
      page.caret(1, -1);
      runCommand(page, eraseForward);
    },
    joins: true,
  },
  'splits it': {
    run: (page) => {
      page.caret(1, 6);
      runCommand(page, breakBlock);
    },
  },
  'turns it into a heading': {
    run: (page) => {
      page.caret(1, 2);
      runCommand(page, turnInto({ kind: 'heading', level: 1 }));
    },
  },
  'turns it into code': {
    run: (page) => {
      page.caret(1, 2);
      runCommand(page, turnInto({ kind: 'code' }));
    },
  },
  'pastes over it': {
    run: (page) => {
      selectBlocks(page, 1, 1);
      pasteInto(page, { 'text/html': '<p>pasted one</p><p>pasted two</p>' });
    },
  },
  'pastes over its words': {
    run: (page) => {
      page.editor.commands.setTextSelection({ from: startOf(page, 1) + 3, to: startOf(page, 2) - 3 });
      pasteInto(page, { 'text/plain': 'new' });
    },
    cuts: true,
  },
};

const inTable = (
  run: (page: OpenedPage, target: NonNullable<ReturnType<typeof tableTarget>>) => void,
  more: Omit<Change, 'run'> = {},
): Change => ({
  ...more,
  run: (page) => {
    caretInCell(page, 1, 1);
    const target = tableTarget(page.editor.state.selection);
    if (target === null) throw new Error('no cell');
    run(page, target);
  },
});

const TABLE_CHANGES: Readonly<Record<string, Change>> = {
  'deletes the row': inTable((page, target) =>
    deleteLines(page.editor.view, contextOf(page), wholeLine(target, 'row'), 'row'),
  ),
  'deletes the column': inTable((page, target) =>
    deleteLines(page.editor.view, contextOf(page), wholeLine(target, 'column'), 'column'),
  ),
  'deletes row and column': inTable((page, target) => {
    deleteLines(page.editor.view, contextOf(page), wholeLine(target, 'column'), 'column');
    deleteLines(page.editor.view, contextOf(page), wholeLine(target, 'row'), 'row');
  }),
  'deletes the table': inTable((page, { table }) => deleteTable(page.editor.view, table)),
  'moves the row': inTable((page, target) => moveLine(page.editor.view, contextOf(page), target, 'row', 1), {
    keeps: true,
  }),
  'moves the column': inTable((page, target) => moveLine(page.editor.view, contextOf(page), target, 'column', -1), {
    keeps: true,
  }),
  'moves row and column': inTable(
    (page, target) => {
      moveLine(page.editor.view, contextOf(page), target, 'column', 1);
      const now = tableTarget(page.editor.state.selection);
      if (now !== null) moveLine(page.editor.view, contextOf(page), now, 'row', -1);
    },
    { keeps: true },
  ),
  'moves the row and deletes another one': inTable((page, target) => {
    moveLine(page.editor.view, contextOf(page), target, 'row', 1);
    caretInCell(page, 0, 0);
    const now = tableTarget(page.editor.state.selection);
    if (now !== null) deleteLines(page.editor.view, contextOf(page), wholeLine(now, 'row'), 'row');
  }),
  'moves the table': inTable((page) => moveTo(page.editor.view, page.undo, { from: 1, to: 2 }, 0), { keeps: true }),
  'clears the row': inTable(
    (page, target) => clearLine(page.editor.view, contextOf(page), wholeLine(target, 'row'), 'row'),
    { cuts: true },
  ),
  'pastes over the cell': inTable(
    (page) => pasteInto(page, { 'text/html': '<table><tr><td>pasted</td><td>new</td></tr></table>' }),
    { cuts: true, joins: true },
  ),
};

/** Each character as a key would: plugins may put it somewhere else. */
function type({ editor: { view } }: OpenedPage, characters: string): void {
  for (const character of characters) {
    const { from, to } = view.state.selection;
    const insert = () => view.state.tr.insertText(character, from, to);
    if (view.someProp('handleTextInput', (handle) => handle(view, from, to, character, insert)) !== true)
      view.dispatch(insert());
  }
}

/** The texts of blocks and cells. */
const textsOf = ({ doc }: PageSession): readonly string[] =>
  parseBody(doc).flatMap((one): readonly string[] => {
    if (one.type === 'block') return [textOfRuns(one.runs)];
    return one.type === 'table' ? one.rows.flat().map(({ runs }) => textOfRuns(runs)) : [];
  });

async function typeThrough(
  { seed: page, caret }: Place,
  { run, joins = false, cuts = false, keeps = false }: Change,
  seed: number,
): Promise<string> {
  const next = prng(seed);
  const random = (n: number) => Math.floor(next() * n);
  const [alice, bob] = [pageSession(page), pageSession(page)];
  const wire = connect(alice, bob);
  const [a, b] = [openPage(alice), openPage(bob)];
  if (!isLoaded) await wait(300);
  isLoaded = true;
  // The caret waits at its place with characters that everyone has, then characters are on their way, then the change arrives.
  const [seen, unseen] = [1 + random(3), random(4)];
  caret(b, random(12));
  type(b, CHARACTERS.slice(0, seen));
  wire.offline();
  if (random(2) === 0) run(a);
  type(b, CHARACTERS.slice(seen, seen + unseen));
  if (alice.localUpdates.length === 0) run(a);
  wire.online();
  if (random(2) === 0) await wait(2);
  type(b, CHARACTERS.slice(seen + unseen));
  await wait(5);
  const texts = textsOf(bob);
  const kept = recoveredTextsOf(bob).get();
  const words = kept.map((one) => one.words).join('\n');
  const strangers = texts.filter(
    (text) => /[A-Z]/u.test(text) && !joins && FOREIGN.some((word) => text.includes(word)),
  );
  const missing = [...CHARACTERS.slice(cuts ? seen : 0)].filter(
    (character) => !words.includes(character) && !texts.join('\n').includes(character),
  );
  const twice = [...CHARACTERS].filter((character) => texts.join('\n').split(character).length > 2);
  const problems = [
    ...(textsOf(alice).join('|') === texts.join('|') ? [] : ['the two pages differ']),
    ...missing.map((character) => `${character} is gone`),
    ...twice.map((character) => `${character} is there twice`),
    ...(keeps && !texts.some((text) => text.includes(CHARACTERS) && text.replace(CHARACTERS, '').includes('own'))
      ? ['not in its own text']
      : []),
    ...strangers.map((text) => `typed in another text: ${text}`),
  ];
  a.close();
  b.close();
  return problems.length === 0 ? '' : `${problems.join(', ')}; page ${texts.join(' | ')}; cards ${words}`;
}

const FRESH = Date.now() % 1_000_000;

const CASES = [
  ...Object.entries(BLOCKS).flatMap(([kind, place]) =>
    Object.entries(BLOCK_CHANGES).map(([what, change]) => [kind, what, place, change] as const),
  ),
  ...Object.entries(TABLE_CHANGES).map(([what, change]) => ['cell', what, CELL, change] as const),
];

test.each(CASES)('%s: while one types in it, another one %s', async (_kind, _what, place, change) => {
  for (const seed of [1, 2, FRESH]) expect([seed, await typeThrough(place, change, seed)]).toEqual([seed, '']);
});
