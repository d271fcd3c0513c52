import { beforeEach, expect, test } from 'vitest';
import { moveTo } from '../../../src/editor/blocks/move-selected-blocks.ts';
import { eraseBackward, eraseForward } from '../../../src/editor/blocks/writing-commands.ts';
import { recoveredTextOnDevice } from '../../../src/editor/recovered-text/recovered-text-on-device.ts';
import { deviceRecoveredText } from '../../../src/editor/recovered-text/recovered-text-store.ts';
import { insertRecoveredText, recoveredTextsOf } from '../../../src/editor/recovered-text/recovered-text.ts';
import { RecoveredTexts, parseRecoveredTexts } from '../../../src/editor/recovered-text/recovered-texts.ts';
import { STORED_TEXTS } from '../../../src/ui/browser/stored-texts.ts';
import { type OpenedPage, linesOf, openPage, textsOf, wait } from '../../support/editor/opened-page.ts';
import { pageSeed } from '../../support/editor/page-seed.ts';
import { type PageSession, connect, pageSession } from '../../support/editor/page-session.ts';

beforeEach(() => localStorage.clear());

function recoveredTextFixture(seed: Uint8Array) {
  const alice = pageSession(seed);
  const bob = pageSession(seed);
  const wire = connect(alice, bob);
  for (const one of [alice, bob]) {
    one.setView({ peers: [alice, bob].map((peer) => ({ session: peer.sessionId, user: peer.user })) });
  }
  const [a, b] = [openPage(alice), openPage(bob)];
  const agree = () => {
    expect(linesOf(alice)).toEqual(linesOf(bob));
    expect(a.shown()).toEqual(b.shown());
  };
  const lost = (session: PageSession) =>
    recoveredTextsOf(session)
      .get()
      .filter(({ deleted }) => deleted === undefined);
  return { alice, bob, wire, a, b, agree, lost };
}

const run = (page: OpenedPage, command: typeof eraseBackward) =>
  command(page.editor.state, page.editor.view.dispatch, page.editor.view);

function deleteBlock(page: OpenedPage, index: number) {
  let at = 0;
  for (let i = 0; i < index; i++) at += page.editor.state.doc.child(i).nodeSize;
  page.editor.view.dispatch(page.editor.state.tr.delete(at, at + page.editor.state.doc.child(index).nodeSize));
}

const PAGE = pageSeed('first', 'second block', 'third');
/** The second block is the lightest, so a move rewrites that one and not its neighbours. */
const HEAVY = pageSeed('first of many words, heavy', 'second block', 'third of many words, heavy');

test('if a block is deleted while another types in it, the typed text is kept for its author', async () => {
  const { alice, bob, wire, a, b, agree, lost } = recoveredTextFixture(PAGE);
  wire.offline();
  deleteBlock(a, 1);
  b.caret(1, -1);
  b.type(' and slow down at buoy C');
  wire.online();
  await wait(5);
  agree();
  expect(textsOf(bob)).toEqual(['first', 'third']);
  expect(lost(bob)).toEqual([
    {
      key: expect.any(String) as string,
      at: expect.any(Number) as number,
      by: alice.user,
      words: 'and slow down at buoy C',
      kind: 'paragraph',
      after: ['line-0'],
    },
  ]);
  expect(lost(alice)).toEqual([]);
  const [one] = lost(bob);
  if (one !== undefined) insertRecoveredText(bob.doc, one);
  expect(textsOf(alice)).toEqual(['first', 'and slow down at buoy C', 'third']);
  agree();
});

test('the same the other way round, and character by character while both are online', async () => {
  const { alice, wire, a, b, agree, lost, bob } = recoveredTextFixture(PAGE);
  a.caret(1, 0);
  a.type('seen ');
  wire.offline();
  a.type('unseen ');
  deleteBlock(b, 1);
  wire.online();
  await wait(5);
  agree();
  expect(lost(alice).map(({ words }) => words)).toEqual(['unseen']);
  expect(lost(bob)).toEqual([]);
});

test('after minutes offline with edits on both sides, only the unseen text is offered', async () => {
  const { alice, bob, wire, a, b, agree, lost } = recoveredTextFixture(pageSeed('first', 'second block', 'third'));
  b.caret(1, 0);
  b.type('before ');
  wire.offline();
  a.caret(0, -1);
  a.type(' by alice');
  deleteBlock(a, 1);
  a.caret(1, 0);
  a.type('then ');
  for (const word of ['one ', 'two ', 'three ']) {
    b.caret(1, 7);
    b.type(word);
    await wait(2);
  }
  b.caret(2, -1);
  b.type(' by bob');
  wire.online();
  await wait(5);
  agree();
  expect(textsOf(alice)).toEqual(['first by alice', 'then third by bob']);
  expect(lost(bob).map(({ words }) => words)).toEqual(['three two one']);
});

test('nothing is offered if the person who deleted it had seen the text', async () => {
  const { bob, a, b, agree, lost } = recoveredTextFixture(PAGE);
  b.caret(1, -1);
  b.type(' words of bob');
  deleteBlock(a, 1);
  await wait(5);
  agree();
  expect(lost(bob)).toEqual([]);
  expect(bob.localUpdates.length).toBe(' words of bob'.length);
});

test('nothing is offered for text that its author deleted, or that never existed', async () => {
  const { bob, wire, a, b, agree, lost } = recoveredTextFixture(PAGE);
  wire.offline();
  b.caret(1, -1);
  b.type(' x');
  b.editor.view.dispatch(b.editor.state.tr.delete(20, 22));
  deleteBlock(a, 1);
  wire.online();
  await wait(5);
  agree();
  expect(lost(bob)).toEqual([]);
});

test('nothing is offered for the user’s own deletion, also if another deletes the same', async () => {
  const { alice, bob, wire, a, b, agree, lost } = recoveredTextFixture(PAGE);
  wire.offline();
  b.caret(1, 0);
  b.type('mine ');
  deleteBlock(b, 1);
  deleteBlock(a, 1);
  wire.online();
  await wait(5);
  agree();
  expect([lost(alice), lost(bob)]).toEqual([[], []]);
});

test.each<[string, (page: OpenedPage) => void, readonly string[]]>([
  ['Backspace', (page) => (page.caret(1, 0), run(page, eraseBackward)), ['firstsecond BBB block', 'third']],
  ['Delete', (page) => (page.caret(0, -1), run(page, eraseForward)), ['firstsecond BBB block', 'third']],
])('[T3] after a join with %s, text typed in the second block comes back in its place', async (_key, join, texts) => {
  const { alice, bob, wire, a, b, agree, lost } = recoveredTextFixture(PAGE);
  wire.offline();
  join(a);
  b.caret(1, 7);
  b.type('BBB ');
  wire.online();
  await wait(5);
  expect(textsOf(alice)).toEqual(texts);
  agree();
  expect(lost(bob)).toEqual([]);
});

test('[T3] text also comes back after a join in which someone types at once', async () => {
  const { alice, wire, a, b, agree } = recoveredTextFixture(PAGE);
  wire.offline();
  a.caret(1, 0);
  run(a, eraseBackward);
  a.type(', ');
  b.caret(1, -1);
  b.type(' BBB');
  wire.online();
  await wait(5);
  expect(textsOf(alice)).toEqual(['first, second block BBB', 'third']);
  agree();
});

test('[T2] text typed in a block that another moves comes back in it, and the caret stays with it', async () => {
  const { alice, bob, wire, a, b, agree, lost } = recoveredTextFixture(HEAVY);
  wire.offline();
  moveTo(a.editor.view, a.undo, { from: 1, to: 2 }, 0);
  b.caret(1, 7);
  b.type('BBB ');
  wire.online();
  await wait(5);
  expect(textsOf(alice)).toEqual(['second BBB block', 'first of many words, heavy', 'third of many words, heavy']);
  b.type('CCC ');
  expect(textsOf(alice)).toEqual(['second BBB CCC block', 'first of many words, heavy', 'third of many words, heavy']);
  agree();
  expect(lost(bob)).toEqual([]);
});

test('[T2] if a lighter neighbour is moved instead, nothing has to be recovered', async () => {
  const { bob, wire, a, b, agree } = recoveredTextFixture(PAGE);
  wire.offline();
  moveTo(a.editor.view, a.undo, { from: 1, to: 2 }, 0);
  b.caret(1, -1);
  b.type(' BBB');
  const typed = bob.localUpdates.length;
  wire.online();
  await wait(5);
  expect(textsOf(bob)).toEqual(['second block BBB', 'first', 'third']);
  expect(bob.localUpdates.length).toBe(typed);
  agree();
});

test('[T2] if a block is moved twice while another types in it, the text is in the last copy, once', async () => {
  const { alice, wire, a, b, agree } = recoveredTextFixture(HEAVY);
  wire.offline();
  moveTo(a.editor.view, a.undo, { from: 1, to: 2 }, 0);
  moveTo(a.editor.view, a.undo, { from: 0, to: 1 }, 3);
  b.caret(1, -1);
  b.type(' BBB');
  wire.online();
  await wait(5);
  expect(textsOf(alice)).toEqual(['first of many words, heavy', 'third of many words, heavy', 'second block BBB']);
  agree();
});

test('[T2] both move a block and both type in it: all text is there', async () => {
  const { alice, bob, wire, a, b, agree, lost } = recoveredTextFixture(HEAVY);
  wire.offline();
  b.caret(1, -1);
  b.type(' BBB');
  moveTo(a.editor.view, a.undo, { from: 1, to: 2 }, 0);
  moveTo(b.editor.view, b.undo, { from: 1, to: 2 }, 3);
  a.caret(0, 0);
  a.type('AAA ');
  wire.online();
  await wait(20);
  agree();
  const all = [
    ...textsOf(alice),
    ...lost(alice).map(({ words }) => words),
    ...lost(bob).map(({ words }) => words),
  ].join('|');
  expect(all).toContain('AAA ');
  expect(all).toContain(' BBB');
});

test('all cells of a deleted table are on one card', async () => {
  const { bob, wire, a, b, lost } = recoveredTextFixture(PAGE);
  const { schema } = a.editor;
  const cell = (text: string) => schema.node('tableCell', null, [schema.text(text)]);
  const table = schema.node('table', null, [schema.node('tableRow', null, [cell('left'), cell('right')])]);
  a.editor.view.dispatch(a.editor.state.tr.insert(0, table));
  wire.offline();
  deleteBlock(a, 0);
  b.editor.view.dispatch(b.editor.state.tr.insertText(' one', 7).insertText(' two', 18));
  wire.online();
  await wait(5);
  expect(lost(bob).map(({ words }) => words)).toEqual(['one\ntwo']);
});

test('in a read-only page the text is kept on a card, whatever happened to the block', async () => {
  const { bob, wire, a, b, lost, agree } = recoveredTextFixture(HEAVY);
  wire.offline();
  b.caret(1, -1);
  b.type(' BBB');
  bob.setView({ editable: false });
  moveTo(a.editor.view, a.undo, { from: 1, to: 2 }, 0);
  wire.online();
  await wait(5);
  expect(lost(bob).map(({ words }) => words)).toEqual(['BBB']);
  agree();
});

test('cards are in their place, survive a reload, and go when answered', async () => {
  const { bob, wire, a, b, lost } = recoveredTextFixture(PAGE);
  wire.offline();
  deleteBlock(a, 1);
  b.caret(1, -1);
  b.type(' BBB');
  wire.online();
  await wait(5);
  const mark = b.editor.view.dom.querySelector('.recovered-text-place');
  expect(mark?.previousElementSibling?.textContent).toBe('first');
  // Another tab of the same user, after a reload.
  const afterReload = new RecoveredTexts(bob.documentId, deviceRecoveredText(bob.user));
  expect(afterReload.get()).toEqual(lost(bob));
  const [one] = lost(bob);
  recoveredTextsOf(bob).resolve(one?.key ?? '');
  expect(b.editor.view.dom.querySelector('.recovered-text-place')).toBeNull();
  expect(Object.keys(localStorage).filter((name) => name.startsWith(STORED_TEXTS.recoveredText))).toEqual([]);
});

test('after the page’s history began again, earlier entries are gone, and later ones stay', async () => {
  const { bob, wire, a, b, lost } = recoveredTextFixture(PAGE);
  wire.offline();
  deleteBlock(a, 1);
  b.caret(1, -1);
  b.type(' BBB');
  wire.online();
  await wait(5);
  expect(lost(bob)).toHaveLength(1);
  bob.historyBeganAt = 1;
  bob.setView({ rebuilds: 1 });
  expect(lost(bob)).toEqual([]);
  expect(Object.keys(localStorage).filter((name) => name.startsWith(STORED_TEXTS.recoveredText))).toEqual([]);
  recoveredTextsOf(bob).add({ key: 'k', at: 1, by: null, words: 'w', kind: 'paragraph', after: [] });
  bob.setView({ rebuilds: 1 });
  expect(lost(bob)).toMatchObject([{ words: 'w' }]);
  const next = new RecoveredTexts(bob.documentId, deviceRecoveredText(bob.user));
  next.noteBeginning(1);
  expect(next.get()).toMatchObject([{ words: 'w' }]);
});

test('two lists of one page agree: an answer in one removes the entry from the other, and from the device’s list', () => {
  const { alice } = recoveredTextFixture(PAGE);
  const [one, other] = [
    new RecoveredTexts(alice.documentId, deviceRecoveredText('p')),
    new RecoveredTexts(alice.documentId, deviceRecoveredText('p')),
  ];
  const all = recoveredTextOnDevice('p');
  let notified = 0;
  const stop = other.subscribe(() => (notified += 1));
  const lost = { key: 'k', at: 1, by: null, words: 'w', kind: 'paragraph', after: [] };
  one.add(lost);
  expect([notified, other.get(), all.get()]).toEqual([1, [lost], [{ document: alice.documentId, entries: [lost] }]]);
  expect(all.get()).toBe(all.get());
  expect(recoveredTextOnDevice('q').get()).toEqual([]);
  stop();
  one.resolve('k');
  expect([notified, other.get(), all.get()]).toEqual([1, [], []]);
});

test('entries in another format are left out', () => {
  const sound = { key: 'k', at: 1, by: null, words: 'w', kind: 'paragraph', after: [] };
  expect(parseRecoveredTexts(JSON.stringify([sound, { words: 3 }, null]))).toEqual([sound]);
  expect([parseRecoveredTexts('{'), parseRecoveredTexts(null), parseRecoveredTexts('3')]).toEqual([[], [], []]);
});
