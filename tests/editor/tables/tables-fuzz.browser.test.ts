// Three people who change one table at random, sometimes offline.
import { expect, test } from 'vitest';
import {
  deleteLines,
  duplicateLine,
  insertLines,
  moveLine,
  tableTarget,
  toggleHeader,
} from '../../../src/editor/tables/table-commands.ts';
import { type OpenedPage, linesOf, openPage, wait } from '../../support/editor/opened-page.ts';
import { connect, pageSession } from '../../support/editor/page-session.ts';
import { caretInCell, contextOf, tableSeed } from '../../support/editor/tables.ts';

const SEED = tableSeed(['n a', 'x 1', 'y 2']);

test('three people who add and type at random end with the same table, and no word is lost', async () => {
  for (let seed = 1; seed <= 10; seed++) {
    const { all, words, widths } = await fuzz(seed, ['insert', 'insert', 'header', 'type', 'type', 'type']);
    expect({ seed, lost: words.filter((word) => !all.includes(word)), widths }).toEqual({ seed, lost: [], widths: 1 });
  }
});

test('three people who also move, delete and undo at random end with the same table', async () => {
  // To Yjs a move is a copy, so text that others type meanwhile is put back by recovered-text.
  for (let seed = 1; seed <= 10; seed++) {
    const { widths } = await fuzz(seed, ['insert', 'insert', 'move', 'delete', 'duplicate', 'undo', 'type']);
    expect({ seed, widths: Math.max(1, widths) }).toEqual({ seed, widths: 1 });
  }
});

type Action = 'insert' | 'header' | 'type' | 'move' | 'delete' | 'duplicate' | 'undo';

async function fuzz(seed: number, actions: readonly Action[]) {
  let state = seed;
  const random = (n: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
  const sessions = [pageSession(SEED), pageSession(SEED), pageSession(SEED)] as const;
  const wire = connect(...sessions);
  const pages = [openPage(sessions[0]), openPage(sessions[1]), openPage(sessions[2])] as const;
  const words = new Set<string>();
  for (let step = 0; step < 60; step++) {
    if (step % 6 === 0) wire.offline();
    const page = pages[random(3)] ?? pages[0];
    const table = page.editor.state.doc.child(1);
    if (table.type.name !== 'table') break;
    const row = random(table.childCount);
    const cells = table.child(row).childCount;
    const action = actions[random(actions.length)];
    if (action === 'undo') page.undo.undo();
    else if (cells > 0) {
      caretInCell(page, row, random(cells));
      const word = `w${step}`;
      if (action === 'type') words.add(word);
      act(page, action ?? 'type', random(2) === 0 ? 'row' : 'column', random(2), word);
    }
    if (step % 6 === 5) {
      wire.online();
      await wait(2);
    }
  }
  wire.online();
  await wait(20);
  const [a, b, c] = pages;
  expect([b.shown(), c.shown()], `seed ${seed}`).toEqual([a.shown(), a.shown()]);
  expect(sessions.map(linesOf), `seed ${seed}`).toEqual(sessions.map(() => linesOf(sessions[0])));
  const rows = [...a.editor.view.dom.querySelectorAll('tr')].map((one) => one.children.length);
  for (const page of pages) page.close();
  return { all: linesOf(sessions[0]).join(' '), words: [...words], widths: new Set(rows).size };
}

function act(page: OpenedPage, action: Action, line: 'row' | 'column', side: number, word: string): void {
  const { view } = page.editor;
  const target = tableTarget(view.state.selection);
  if (target === null) throw new Error('not in a table');
  const by = side === 0 ? -1 : 1;
  if (action === 'insert')
    insertLines(view, contextOf(page), target, line, (line === 'row' ? target.row : target.column) + side);
  else if (action === 'header') toggleHeader(view, contextOf(page), target.table, line);
  else if (action === 'move') moveLine(view, contextOf(page), target, line, by);
  else if (action === 'duplicate') duplicateLine(view, contextOf(page), target, line);
  else if (action === 'delete') deleteLines(view, contextOf(page), target, line);
  else page.type(`${word},`);
}
