import { createRoot } from 'react-dom/client';
import { expect, onTestFinished, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { RecoveredTextCards } from '../../../src/editor/recovered-text/recovered-text-cards.tsx';
import { recoveredTextsOf } from '../../../src/editor/recovered-text/recovered-text.ts';
import { PART_NOT_LOADED } from '../../../src/texts/content-texts.ts';
import { Toasts } from '../../../src/ui/floating/toast.tsx';
import { openPage, textsOf } from '../../support/editor/opened-page.ts';
import { pageSeed } from '../../support/editor/page-seed.ts';
import { pageSession } from '../../support/editor/page-session.ts';

vi.mock(import('../../../src/editor/recovered-text/restore-deleted.ts'), () => {
  throw new Error('offline');
});

/** A page with a card for words that were deleted; `isWhole`: with the block that they were in. */
function openCard(isWhole: boolean) {
  const session = pageSession(pageSeed('first'));
  const { editor } = openPage(session);
  const list = recoveredTextsOf(session);
  const deleted = isWhole ? { deleted: { ids: ['gone'], file: '{}' } } : {};
  list.add({ key: 'card', at: 0, by: null, words: 'lost', kind: 'paragraph', after: ['line-0'], ...deleted });
  const root = document.body.appendChild(document.createElement('div'));
  const react = createRoot(root);
  onTestFinished(() => {
    list.resolve('card');
    react.unmount();
    root.remove();
  });
  react.render(
    <>
      <RecoveredTextCards {...{ editor, session }} people={new Map()} editable />
      <Toasts />
    </>,
  );
  return { session, editor, list };
}

test.each(['Restore', 'Dismiss'])('%s ends the card, and the focus moves to the text', async (name) => {
  const { session, editor, list } = openCard(false);
  await userEvent.click(page.getByRole('button', { name }));
  await expect.poll(() => list.get()).toEqual([]);
  expect(textsOf(session)).toEqual(name === 'Restore' ? ['first', 'lost'] : ['first']);
  expect(editor.view.hasFocus()).toBe(true);
});

test('if the code that restores a block does not load, the card stays and says so', async () => {
  const { session, list } = openCard(true);
  await userEvent.click(page.getByRole('button', { name: 'Restore' }));
  await expect.element(page.getByText(PART_NOT_LOADED)).toBeVisible();
  expect(list.get()).toHaveLength(1);
  expect(textsOf(session)).toEqual(['first']);
});
