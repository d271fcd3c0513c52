// A burst of remote edits: the page is updated at most once per frame, no edit is lost or later than that frame.
import { expect, onTestFinished, test, vi } from 'vitest';
import { throttleRemote } from '../../../src/editor/binding/throttle-remote.ts';
import { linesOf, openPage } from '../../support/editor/opened-page.ts';
import { pageSeed } from '../../support/editor/page-seed.ts';
import { connect, pageSession } from '../../support/editor/page-session.ts';

const frame = () => new Promise((done) => requestAnimationFrame(done));

const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));
const press = () => window.dispatchEvent(new KeyboardEvent('keydown', { key: 'x' }));

function throttledPair() {
  const seed = pageSeed('', 'mine');
  const [alice, bob] = [pageSession(seed), pageSession(seed)];
  connect(alice, bob);
  const [page, his] = [openPage(alice), openPage(bob)];
  const stop = throttleRemote(alice);
  onTestFinished(stop);
  his.caret(0, 0);
  return { page, his, stop, words: () => linesOf(alice)[0], own: () => linesOf(bob)[1] };
}

test('the first edit of a burst is shown at once, the others soon and together, in one change of the page', async () => {
  const { page, his, words } = throttledPair();
  let changes = 0;
  page.editor.on('transaction', ({ transaction }) => void (changes += transaction.docChanged ? 1 : 0));
  await frame();
  his.type('a');
  expect(words()).toBe('paragraph: a');
  his.type('bcd');
  expect(words()).toBe('paragraph: a');
  await expect.poll(words).toBe('paragraph: abcd');
  expect(page.editor.getText()).toContain('abcd');
  expect(changes).toBe(2);
  his.type('e');
  await expect.poll(words).toBe('paragraph: abcde');
  await expect.poll(() => page.editor.getText()).toContain('abcde');
});

test('a key is painted first: remote edits wait for the next frame', async () => {
  const { his, words } = throttledPair();
  for (let tries = 0; tries < 50; tries++) {
    const before = words();
    const start = Date.now();
    his.type('a');
    his.type('b');
    // The clock stands still until the frame: on a busy machine it would come so late that the key is painted already.
    const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now());
    press();
    await frame();
    const shown = words();
    clock.mockRestore();
    // A window that rarely draws frames delays nobody.
    const wasInTime = Date.now() - start < 150;
    await expect.poll(words).toBe(`${before}ab`);
    if (!wasInTime) continue;
    expect(shown).toBe(`${before}a`);
    return;
  }
  expect.fail('no frame came in time');
});

test('while this user types, remote edits are applied after a key, not when the next key is due', async () => {
  const { his, words } = throttledPair();
  for (let tries = 0; tries < 50; tries++) {
    const before = words();
    const start = performance.now();
    press();
    await pause(70);
    his.type('a');
    his.type('b');
    await pause(40);
    const shown = words();
    const wasQuick = performance.now() - start < 140;
    press();
    await expect.poll(words).toBe(`${before}ab`);
    if (!wasQuick) continue;
    expect(shown).toBe(`${before}a`);
    return;
  }
  expect.fail('no timer came in time');
});

test('local edits are sent meanwhile, and closing the page applies the waiting remote edits', async () => {
  const { page, his, stop, words, own } = throttledPair();
  await frame();
  his.type('abc');
  page.caret(1, -1);
  page.type('!');
  expect(own()).toBe('paragraph: mine!');
  expect(words()).toBe('paragraph: a');
  stop();
  expect(words()).toBe('paragraph: abc');
});
