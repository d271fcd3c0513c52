// The highlight of a block that a link leads to.
import { afterEach, expect, test, vi } from 'vitest';
import { goToBlock } from '../../../src/editor/blocks/block-link.ts';
import { openPage } from '../../support/editor/opened-page.ts';
import { pageSeed } from '../../support/editor/page-seed.ts';
import { pageSession } from '../../support/editor/page-session.ts';

afterEach(() => void vi.useRealTimers());

test('lasts for a moment, however much is written meanwhile, and begins again with each link', () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { editor } = openPage(pageSession(pageSeed('one', 'two')));
  const highlighted = () => editor.view.dom.querySelector('[data-target]')?.textContent;
  const writeFor = (seconds: number) => {
    for (let n = 0; n < seconds; n++) {
      vi.advanceTimersByTime(1_000);
      editor.view.dispatch(editor.state.tr.insertText('x', 1));
    }
  };
  goToBlock(editor, 'line-1');
  writeFor(2);
  expect(highlighted()).toBe('two');
  goToBlock(editor, 'line-1');
  writeFor(2);
  expect(highlighted()).toBe('two');
  writeFor(1);
  expect(highlighted()).toBeUndefined();
});
