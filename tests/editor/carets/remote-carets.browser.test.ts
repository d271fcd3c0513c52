// What is known of somebody else's caret: a thread follows what they just wrote, and nothing else.
import { expect, test } from 'vitest';
import { trackRemoteCarets } from '../../../src/editor/carets/remote-carets.ts';
import { openPage } from '../../support/editor/opened-page.ts';
import { pageSeed } from '../../support/editor/page-seed.ts';
import { connect, pageSession } from '../../support/editor/page-session.ts';

/** Ada's view of the caret of Ben, who shares the page with her. */
function ada_sees_ben() {
  const [ada, ben] = [pageSession(pageSeed('')), pageSession(pageSeed(''))];
  connect(ada, ben);
  const [page, his] = [openPage(ada), openPage(ben)];
  const tracker = trackRemoteCarets(ada.awareness);
  let now = 1_000_000;
  return {
    his,
    page,
    /** The words under the threads behind his caret, after a frame with it. */
    threads() {
      ada.showCaret(1, 2, ben.awareness.getLocalState()?.['cursor']);
      now += 3_000;
      const [caret] = tracker.read(page.editor.state, now);
      return caret?.threads.map(({ from, to }) => page.editor.state.doc.textBetween(from, to));
    },
  };
}

test('what somebody writes has a thread, in one letter and in several', () => {
  const { his, threads } = ada_sees_ben();
  his.caret(0, 0);
  expect(threads()).toEqual([]);
  his.type('a');
  expect(threads()).toEqual(['a']);
  his.type('bc d');
  expect(threads()).toEqual(['bc d']);
});

test('End, arrow keys and clicks behind words have none, whoever wrote them and when', () => {
  const { his, page, threads } = ada_sees_ben();
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

test('who writes in the middle has a thread under their words alone', () => {
  const { his, threads } = ada_sees_ben();
  his.caret(0, 0);
  his.type('one three');
  threads();
  his.caret(0, 4);
  expect(threads()).toEqual([]);
  his.type('two ');
  expect(threads()).toEqual(['two ']);
});
