// Others' edits in a burst: one look at the page for each frame, none of them lost or later than the frame.
import { expect, onTestFinished, test } from 'vitest';
import { letInOnceAFrame } from '../../src/editor/once-a-frame.ts';
import { linesOf, openPage } from '../support/opened-page.ts';
import { pageSeed } from '../support/page-seed.ts';
import { connect, pageSession } from '../support/page-session.ts';

const frame = () => new Promise((done) => requestAnimationFrame(done));

function ada_reads_ben() {
  const seed = pageSeed('', 'mine');
  const [ada, ben] = [pageSession(seed), pageSession(seed)];
  connect(ada, ben);
  const [page, his] = [openPage(ada), openPage(ben)];
  const stop = letInOnceAFrame(ada);
  onTestFinished(stop);
  his.caret(0, 0);
  return { page, his, stop, words: () => linesOf(ada)[0], own: () => linesOf(ben)[1] };
}

test('the first of a burst is shown at once, the others together in the next frame', async () => {
  const { his, words } = ada_reads_ben();
  const seen: (string | undefined)[] = [];
  await frame();
  his.type('a');
  seen.push(words());
  his.type('bcd');
  seen.push(words());
  await frame();
  seen.push(words());
  his.type('e');
  seen.push(words());
  await frame();
  seen.push(words());
  await frame();
  await frame();
  his.type('f');
  seen.push(words());
  expect(seen.map((text) => text?.replace('paragraph: ', ''))).toEqual(['a', 'a', 'abcd', 'abcd', 'abcde', 'abcdef']);
});

test('own edits go out meanwhile; leaving the page lets in what waits', async () => {
  const { page, his, stop, words, own } = ada_reads_ben();
  await frame();
  his.type('abc');
  page.caret(1, -1);
  page.type('!');
  expect(own()).toBe('paragraph: mine!');
  expect(words()).toBe('paragraph: a');
  stop();
  expect(words()).toBe('paragraph: abc');
});
