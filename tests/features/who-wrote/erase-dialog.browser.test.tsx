// "Erase from history too" on the real editor: the characters that go, and what the dialog says.
import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { plainRun, textBlock } from 'weft-document/blocks/detached-block.ts';
import { elementsOfBlocks, fillPage } from 'weft-document/body/fill-page.ts';
import { erasedPage } from 'weft-document/history/erased-page.ts';
import { bodyOf } from 'weft-document/names.ts';
import { weftError } from 'weft-sync/protocol/errors.ts';
import type { Row } from 'weft-sync/protocol/row.ts';
import * as Y from 'yjs';
import { EraseDialog } from '../../../src/features/who-wrote/erase-dialog.tsx';
import { appFixture } from '../../support/app/app-fixture.ts';
import { renderInApp } from '../../support/app/render-in-app.tsx';
import { type OpenedPage, openPage } from '../../support/editor/opened-page.ts';
import { type PageSession, pageSession } from '../../support/editor/page-session.ts';
import { Writer } from '../../support/editor/random-log.ts';

afterEach(cleanup);

/** Alice pastes a password, Bob writes before it and moves its block to the top. */
function logWithPassword(): readonly Row[] {
  const rows: Row[] = [];
  const [first, second] = [new Writer(0), new Writer(1)];
  fillPage(
    first.doc,
    'Plan',
    elementsOfBlocks(['The boat.', 'It is hunter2, said Carol.'].map((line) => textBlock({}, [plainRun(line)]))),
  );
  first.send(rows, Date.now() - 60_000);
  second.receive(rows);
  const boat = bodyOf(second.doc).get(0);
  const text = boat instanceof Y.XmlElement ? boat.get(0) : null;
  if (!(text instanceof Y.XmlText)) throw new Error('no text');
  text.insert(0, 'Yes. ');
  second.send(rows, Date.now() - 30_000);
  second.doc.transact(() => {
    const copy = bodyOf(second.doc).get(1).clone();
    bodyOf(second.doc).delete(1, 1);
    bodyOf(second.doc).insert(0, [copy]);
  });
  second.send(rows, Date.now());
  return rows;
}

const selectPassword = ({ editor }: OpenedPage) => editor.commands.setTextSelection({ from: 7, to: 14 });

async function ask(
  select: (page: OpenedPage) => void = selectPassword,
  change: (session: PageSession) => void = () => {},
  write: (rows: Row[]) => void = () => {},
) {
  const rows = [...logWithPassword()];
  write(rows);
  const fixture = appFixture();
  const session = pageSession(Y.mergeUpdates(rows.map(({ update }) => update)));
  const page = openPage(session);
  select(page);
  change(session);
  let isClosed = false;
  const onClose = () => (isClosed = true);
  await renderInApp(fixture, <EraseDialog editor={page.editor} {...{ session, onClose }} />);
  const dialog = within(screen.getByRole('dialog', { name: 'Erase from history too?' }));
  const button = () => dialog.getByRole<HTMLButtonElement>('button', { name: 'Erase from history too' });
  const status = () => dialog.getByRole('status').textContent;
  return { fixture, session, dialog, button, status, isClosed: () => isClosed };
}

const isReady = (button: () => HTMLButtonElement) => waitFor(() => expect(button().disabled).toBe(false));

test('the selected characters are erased, and the dialog says before that the history starts again', async () => {
  const { fixture, session, dialog, button, status, isClosed } = await ask();
  expect(dialog.getByText('hunter2').tagName).toBe('BLOCKQUOTE');
  dialog.getByText(/The page’s history starts again today: its versions go, its authors stay listed\./);
  expect(status()).toBe('Nothing else on this page says the same.');
  expect(dialog.queryByRole('checkbox')).toBeNull();
  button().click();
  await waitFor(() => expect(isClosed()).toBe(true));
  expect(fixture.history.erased).toEqual([{ characters: expect.any(Array), withCopies: false }]);
  const page = erasedPage(session.doc, fixture.history.erased[0]?.characters ?? []);
  expect([page.title, new TextDecoder().decode(page.update).includes('hunter2')]).toEqual(['Plan', false]);
  expect(bodyOf(session.doc).get(0).toString()).toContain('It is , said Carol.');
});

/** Someone writes the password once more, in a block of its own. */
function pasteAgain(rows: Row[]): void {
  const writer = new Writer(2);
  for (const { update } of rows) Y.applyUpdate(writer.doc, update, 'row');
  bodyOf(writer.doc).push([...elementsOfBlocks([textBlock({}, [plainRun('hunter2!')])])]);
  writer.send(rows);
}

test.each([true, false])('other places that say the same are counted, and go too if wanted: %s', async (withCopies) => {
  const { fixture, dialog, button, status, isClosed } = await ask(selectPassword, () => {}, pasteAgain);
  const box = await waitFor(() =>
    dialog.getByRole<HTMLInputElement>('checkbox', { name: 'Also erase the same words in 1 other place on this page' }),
  );
  expect(box.checked).toBe(true);
  // The status tells people who do not see the box appear.
  expect(status()).toBe('The same words are in 1 other place on this page.');
  if (!withCopies) act(() => box.click());
  button().click();
  await waitFor(() => expect(isClosed()).toBe(true));
  expect(fixture.history.erased).toMatchObject([{ withCopies }]);
});

test('so few characters that every page is full of them are erased where they were selected, and the dialog says so', async () => {
  const { dialog, button, status } = await ask(({ editor }) => editor.commands.setTextSelection({ from: 1, to: 3 }));
  expect(button().disabled).toBe(false);
  expect(status()).toBe('Only the words that you selected are erased.');
  expect(dialog.queryByRole('checkbox')).toBeNull();
});

test('nothing is erased while own edits are unsent or the server is away, and the dialog says why', async () => {
  const { session, button, status } = await ask(selectPassword, (one) =>
    one.setView({ unsent: { edits: 1, oldestAt: 1 } }),
  );
  expect(button().disabled).toBe(true);
  expect(status()).toBe('Some of your edits aren’t saved yet. You can erase when they are.');
  act(() => session.setView({ unsent: { edits: 0, oldestAt: null }, connection: 'offline' }));
  expect(status()).toBe('You’re offline. Erasing needs the server.');
  expect(button().disabled).toBe(true);
  act(() => session.setView({ connection: 'live' }));
  await isReady(button);
});

test.each([
  ['notSaved', 'The server doesn’t have all of these words yet. Try again in a moment.'],
  ['failed', 'The words couldn’t be erased. Try again.'],
  [weftError('WF011'), 'Can’t reach the server. Try again.'],
  [weftError('WF002'), 'Only managers of the page can erase words for good.'],
] as const)('what fails is said, and can be tried again: %s', async (failure, text) => {
  const { fixture, dialog, button, isClosed } = await ask();
  fixture.history.eraseFailure = failure;
  button().click();
  await waitFor(() => dialog.getByText(text));
  expect(fixture.history.erased).toEqual([]);
  fixture.history.eraseFailure = null;
  button().click();
  await waitFor(() => expect(isClosed()).toBe(true));
  expect(fixture.history.erased).toHaveLength(1);
});

test('a selection without words has nothing to erase', async () => {
  const { dialog } = await ask(({ editor }) => editor.commands.setTextSelection(3));
  expect(dialog.getByRole('alert').textContent).toBe('There are no words in what you selected.');
  expect(dialog.queryByRole('button', { name: 'Erase from history too' })).toBeNull();
});
