// Blocks that someone deletes soon after this person wrote in them, with every character seen.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { moveTo } from '../../../src/editor/blocks/move-selected-blocks.ts';
import { eraseBackward } from '../../../src/editor/blocks/writing-commands.ts';
// Loaded before the editor asks for it.
import '../../../src/editor/recovered-text/deleted-blocks.ts';
import { recoveredTextsOf } from '../../../src/editor/recovered-text/recovered-text.ts';
import { parseRecoveredTexts } from '../../../src/editor/recovered-text/recovered-texts.ts';
import { restoreDeleted } from '../../../src/editor/recovered-text/restore-deleted.ts';
import { type OpenedPage, linesOf, openPage, textsOf, wait } from '../../support/editor/opened-page.ts';
import { pageSeed } from '../../support/editor/page-seed.ts';
import { type PageSession, connect, pageSession } from '../../support/editor/page-session.ts';

beforeEach(() => localStorage.clear());
afterEach(() => vi.useRealTimers());

const PAGE = pageSeed('first', 'second block', 'third', 'fourth');

async function twoPeople() {
  const alice = pageSession(PAGE);
  const bob = pageSession(PAGE);
  const wire = connect(alice, bob);
  for (const one of [alice, bob])
    one.setView({ peers: [alice, bob].map((peer) => ({ session: peer.sessionId, user: peer.user })) });
  const [a, b] = [openPage(alice), openPage(bob)];
  // The code that watches for deleted blocks loads after the editor.
  await wait(50);
  const told = (session: PageSession) => recoveredTextsOf(session).get();
  return { alice, bob, wire, a, b, told };
}

function deleteBlocks(page: OpenedPage, from: number, count = 1) {
  const { doc } = page.editor.state;
  const startOf = (index: number) =>
    Array.from({ length: index }, (_, at) => doc.child(at).nodeSize).reduce((sum, size) => sum + size, 0);
  page.editor.view.dispatch(page.editor.state.tr.delete(startOf(from), startOf(from + count)));
}

test('a block that is deleted after I wrote in it comes back whole: its words, marks and id', async () => {
  const { alice, bob, a, b, told } = await twoPeople();
  a.caret(1, -1);
  a.editor.commands.toggleBold();
  a.type(' and more');
  const before = linesOf(alice);
  const html = a.editor.getHTML();
  a.caret(3, 0);
  deleteBlocks(b, 1);
  await wait(5);
  const [entry] = told(alice);
  expect(told(bob)).toEqual([]);
  expect(entry).toMatchObject({ by: bob.user, words: 'second block and more', after: ['line-0'] });
  if (entry === undefined || !restoreDeleted(alice.doc, entry)) throw new Error('not restored');
  await wait(5);
  expect(linesOf(bob)).toEqual(before);
  expect(a.editor.getHTML()).toBe(html);
  // It is back, so there is nothing left to say.
  expect(told(alice)).toEqual([]);
});

test('neighbours share a card, in their order, also read again from the device', async () => {
  const { alice, a, b, told } = await twoPeople();
  for (const at of [2, 1]) {
    a.caret(at, -1);
    a.type(' mine');
  }
  deleteBlocks(b, 1, 2);
  await wait(5);
  expect(told(alice).map(({ words }) => words)).toEqual(['second block mine\nthird mine']);
  const [entry] = parseRecoveredTexts(JSON.stringify(told(alice)));
  if (entry !== undefined) restoreDeleted(alice.doc, entry);
  await wait(5);
  expect(textsOf(alice)).toEqual(['first', 'second block mine', 'third mine', 'fourth']);
});

test('after five minutes only the block with the caret counts', async () => {
  const { alice, a, b, told } = await twoPeople();
  vi.useFakeTimers({ toFake: ['Date'] });
  for (const at of [1, 2]) {
    a.caret(at, -1);
    a.type(' mine');
  }
  vi.setSystemTime(Date.now() + 5 * 60_000 + 1);
  deleteBlocks(b, 1);
  deleteBlocks(b, 1);
  await wait(5);
  expect(told(alice).map(({ words }) => words)).toEqual(['third mine']);
});

test('nothing is said of blocks in which I did not write, that I deleted, or that moved or were joined', async () => {
  const { alice, bob, a, b, told } = await twoPeople();
  a.caret(3, 0);
  deleteBlocks(b, 3);
  a.caret(1, -1);
  a.type(' mine');
  await wait(5);
  moveTo(b.editor.view, b.undo, { from: 1, to: 2 }, 0);
  await wait(5);
  b.caret(1, 0);
  eraseBackward(b.editor.state, b.editor.view.dispatch, b.editor.view);
  await wait(5);
  expect(textsOf(bob)).toEqual(['second block minefirst', 'third']);
  deleteBlocks(a, 1);
  await wait(5);
  expect(textsOf(bob)).toEqual(['second block minefirst']);
  expect([...told(alice), ...told(bob)]).toEqual([]);
});

test('nothing is said when I deleted it in another tab, and the card goes when its deleter takes that back', async () => {
  const { alice, bob, a, b, told } = await twoPeople();
  alice.setView({ peers: [{ session: bob.sessionId, user: alice.user }] });
  a.caret(1, -1);
  a.type(' mine');
  deleteBlocks(b, 1);
  await wait(5);
  expect(told(alice)).toEqual([]);
  b.undo.undo();
  await wait(5);
  alice.setView({ peers: [{ session: bob.sessionId, user: bob.user }] });
  b.undo.redo();
  await wait(5);
  expect(told(alice)).toHaveLength(1);
  b.undo.undo();
  await wait(5);
  expect(told(alice)).toEqual([]);
  expect(textsOf(alice)).toEqual(['first', 'second block mine', 'third', 'fourth']);
});
