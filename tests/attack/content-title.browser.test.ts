// A hostile title: a million characters, or 20,000 marks on one character. The page must never get much to lay out at a time, and
// people who may edit the page can replace the title.
import { expect, onTestFinished, test } from 'vitest';
import { titleOf } from 'weft-document/names.ts';
import { titleText } from 'weft-document/title.ts';
import { bindTitle } from '../../src/editor/title/bind-title.ts';
import { pageSession } from '../support/editor/page-session.ts';
import { best, excessOf, loadOf } from './support/load.ts';
import '../../src/ui/theme/tokens.css';
import '../../src/ui/theme/base.css';
import '../../src/ui/blocks/blocks.css';

const MAX_ELEMENTS = 10;

const TITLES = {
  'a million characters': 'word '.repeat(200_000),
  'a million characters without a space': 'x'.repeat(1_000_000),
  'twenty thousand marks on one character': `x${'\u0301'.repeat(20_000)}`,
};

test.each(Object.entries(TITLES))('%s', async (_name, title) => {
  const session = pageSession();
  titleOf(session.doc).insert(0, title);
  const field = document.createElement('textarea');
  field.className = 'page-title page-title-field';
  const inTree = document.createElement('span');
  onTestFinished(() => {
    field.remove();
    inTree.remove();
  });
  let unbind = () => {};
  const load = await best(() => {
    unbind();
    field.remove();
    inTree.remove();
    return loadOf(async () => {
      unbind = bindTitle(field, session.doc);
      inTree.textContent = titleText(session.doc);
      document.body.append(field, inTree);
    });
  });
  expect(excessOf(load, MAX_ELEMENTS)).toEqual([]);
  field.value = 'Mine again';
  field.dispatchEvent(new Event('input'));
  expect([field.value, titleOf(session.doc).toString()]).toEqual(['Mine again', 'Mine again']);
  unbind();
});

test('a title that becomes that long while it is edited', async () => {
  const session = pageSession();
  const field = document.body.appendChild(document.createElement('textarea'));
  onTestFinished(() => field.remove());
  titleOf(session.doc).insert(0, 'Plan');
  const unbind = bindTitle(field, session.doc);
  field.focus();
  field.setSelectionRange(4, 4);
  const load = await best(() => {
    const title = titleOf(session.doc);
    if (title.length > 4) title.delete(4, title.length - 4);
    field.setSelectionRange(4, 4);
    return loadOf(async () => title.insert(4, 'x'.repeat(1_000_000)));
  });
  expect(excessOf(load, MAX_ELEMENTS)).toEqual([]);
  field.setRangeText('!', 0, 0);
  field.dispatchEvent(new Event('input'));
  expect(titleOf(session.doc).toString()).toBe(`!Plan${'x'.repeat(195)}`);
  expect(session.localUpdates.length).toBeGreaterThan(0);
  unbind();
});
