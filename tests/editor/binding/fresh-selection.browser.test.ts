// A key applies to the current selection, even if the browser has not reported it yet.
import { beforeAll, expect, test } from 'vitest';
import { page as browserPage } from 'vitest/browser';
import { BlockSelection } from '../../../src/editor/blocks/block-selection.ts';
import { openPage, textsOf } from '../../support/editor/opened-page.ts';
import { pageSeed } from '../../support/editor/page-seed.ts';
import { pageSession } from '../../support/editor/page-session.ts';

beforeAll(() => browserPage.viewport(1280, 800));

test('Escape and Delete right after a click apply to the block that was clicked', () => {
  const session = pageSession(pageSeed('one', 'two', 'three'));
  const page = openPage(session);
  const { view } = page.editor;
  page.caret(0, -1);
  view.focus();
  // Like a click: the event that reports it comes in its own task.
  getSelection()?.collapse(view.dom.querySelectorAll('.block-text')[2]?.firstChild ?? null, 2);
  const press = (key: string) =>
    view.dom.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
  press('Escape');
  expect(page.editor.state.selection).toBeInstanceOf(BlockSelection);
  press('Delete');
  expect(textsOf(session)).toEqual(['one', 'two']);
});
