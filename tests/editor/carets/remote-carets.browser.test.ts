// Tracking a remote caret: the thread underlines what its user just typed, and nothing else.
import { expect, test } from 'vitest';
import { trackRemoteCarets } from '../../../src/editor/carets/remote-carets.ts';
import { openPage } from '../../support/editor/opened-page.ts';
import { pageSeed } from '../../support/editor/page-seed.ts';
import { connect, pageSession } from '../../support/editor/page-session.ts';

/** Alice’s view of the caret of Bob on the same page. */
function remoteCaretFixture() {
  const [alice, bob] = [pageSession(pageSeed('')), pageSession(pageSeed(''))];
  connect(alice, bob);
  const [page, his] = [openPage(alice), openPage(bob)];
  const tracker = trackRemoteCarets(alice.awareness);
  let now = 1_000_000;
  return {
    his,
    page,
    /** The text under the threads behind his caret, after a live update with it. */
    threads() {
      alice.showCaret(1, 2, bob.awareness.getLocalState()?.['cursor']);
      now += 3_000;
      const [caret] = tracker.read(page.editor.state, now);
      return caret?.threads.map(({ from, to }) => page.editor.state.doc.textBetween(from, to));
    },
  };
}

test('typed text has a thread, after one character and after several', () => {
  const { his, threads } = remoteCaretFixture();
  his.caret(0, 0);
  expect(threads()).toEqual([]);
  his.type('a');
  expect(threads()).toEqual(['a']);
  his.type('bc d');
  expect(threads()).toEqual(['bc d']);
});

test('End, arrow keys and clicks after text make no thread, no matter who typed it and when', () => {
  const { his, page, threads } = remoteCaretFixture();
  his.caret(0, 0);
  threads();
  his.type('his own words');
  threads();
  his.caret(0, 0);
  expect(threads()).toEqual([]);
  his.caret(0, -1);
  expect(threads()).toEqual([]);
  page.caret(0, -1);
  page.type(' and hers');
  his.caret(0, 4);
  expect(threads()).toEqual([]);
  his.caret(0, -1);
  expect(threads()).toEqual([]);
});

test('typing in the middle of a line makes a thread under that text only', () => {
  const { his, threads } = remoteCaretFixture();
  his.caret(0, 0);
  his.type('one three');
  threads();
  his.caret(0, 4);
  expect(threads()).toEqual([]);
  his.type('two ');
  expect(threads()).toEqual(['two ']);
});
