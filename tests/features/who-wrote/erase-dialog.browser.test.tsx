// "Erase for good" on the real editor and the real history engine: the letters and rows that the database has to overwrite.
import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import * as Y from 'yjs';
import { plainRun, textBlock } from '../../../src/document/blocks/detached-block.ts';
import { elementsOfBlocks, fillPage } from '../../../src/document/body/fill-page.ts';
import { bodyOf } from '../../../src/document/names.ts';
import { EraseDialog } from '../../../src/features/who-wrote/erase-dialog.tsx';
import { type WeftError, weftError } from '../../../src/protocol/errors.ts';
import type { Row } from '../../../src/protocol/row.ts';
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
  error: WeftError | null = null,
) {
  const rows = logWithPassword();
  const fixture = appFixture();
  fixture.history.rows.push(...rows);
  write(fixture.history.rows);
  fixture.history.error = error;
  const session = pageSession(Y.mergeUpdates(rows.map(({ update }) => update)));
  const page = openPage(session);
  select(page);
  change(session);
  let isClosed = false;
  const onClose = () => (isClosed = true);
  await renderInApp(fixture, <EraseDialog editor={page.editor} {...{ session, onClose }} />);
  const dialog = within(screen.getByRole('dialog', { name: 'Erase for good?' }));
  const button = () => dialog.getByRole<HTMLButtonElement>('button', { name: 'Erase for good' });
  const status = () => dialog.getByRole('status').textContent;
  return { fixture, rows, session, dialog, button, status, isClosed: () => isClosed };
}

const isReady = (button: () => HTMLButtonElement) => waitFor(() => expect(button().disabled).toBe(false));

test('the letters are overwritten in every row that has them: where they stand, and where they stood before', async () => {
  const { fixture, rows, dialog, button, status, isClosed } = await ask();
  expect(dialog.getByText('hunter2').tagName).toBe('BLOCKQUOTE');
  expect(status()).toBe('Looking for the same words in other places…');
  expect(button().disabled).toBe(true);
  await isReady(button);
  expect(status()).toBe('Nothing else on this page says the same.');
  expect(dialog.queryByRole('checkbox')).toBeNull();
  button().click();
  await waitFor(() => expect(isClosed()).toBe(true));
  const [erased] = fixture.history.erased;
  expect(erased?.title).toBe('Plan');
  expect(erased?.rows.map(({ seq }) => seq)).toEqual([1, 3]);
  for (const { seq, update, sha256 } of erased?.rows ?? []) {
    expect(sha256).toMatch(/^[0-9a-f]{64}$/);
    const texts = update.map(([start, , from, to]) =>
      new TextDecoder().decode(rows[seq - 1]?.update.slice(start + from, start + to)),
    );
    expect(texts).toEqual(['hunter2']);
  }
});

/** Somebody writes the password once more, in a block of its own. */
function pasteAgain(rows: Row[]): void {
  const writer = new Writer(2);
  for (const { update } of rows) Y.applyUpdate(writer.doc, update, 'row');
  bodyOf(writer.doc).push([...elementsOfBlocks([textBlock({}, [plainRun('hunter2!')])])]);
  writer.send(rows);
}

test('other places that say the same are counted, and go too unless somebody decides otherwise', async () => {
  const { fixture, dialog, button, status, isClosed } = await ask(selectPassword, () => {}, pasteAgain);
  const box = await waitFor(() =>
    dialog.getByRole<HTMLInputElement>('checkbox', { name: 'Also erase the same words in 1 other place on this page' }),
  );
  expect(box.checked).toBe(true);
  // The status tells people who do not see the box appear.
  expect(status()).toBe('The same words are in 1 other place on this page.');
  act(() => box.click());
  await isReady(button);
  button().click();
  await waitFor(() => expect(isClosed()).toBe(true));
  expect(fixture.history.erased.map(({ rows }) => rows.map(({ seq }) => seq))).toEqual([[1, 3]]);
});

test('places that appear while somebody decides are shown before they are erased', async () => {
  const { fixture, dialog, button, isClosed } = await ask();
  await isReady(button);
  pasteAgain(fixture.history.rows);
  button().click();
  await waitFor(() =>
    dialog.getByText('The page changed: more places say the same now. Check the number and erase again.'),
  );
  dialog.getByRole('checkbox', { name: 'Also erase the same words in 1 other place on this page' });
  expect(fixture.history.erased).toEqual([]);
  button().click();
  await waitFor(() => expect(isClosed()).toBe(true));
  expect(fixture.history.erased.map(({ rows }) => rows.map(({ seq }) => seq))).toEqual([[1, 3, 4]]);
});

test('so few letters that every page is full of them are erased where they were selected, and the dialog says so', async () => {
  const { dialog, button, status } = await ask(({ editor }) => editor.commands.setTextSelection({ from: 1, to: 3 }));
  await isReady(button);
  expect(status()).toBe('So few letters are erased only where you selected them.');
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

test('words that are not in the log yet stay, and the dialog says so', async () => {
  const { fixture, dialog } = await ask((page) => {
    page.caret(0, 0);
    page.type('Now: ');
    page.editor.commands.setTextSelection({ from: 1, to: 14 });
  });
  await waitFor(() => dialog.getByText('The server doesn’t have all of these words yet. Try again in a moment.'));
  expect(dialog.queryByRole('button', { name: 'Erase for good' })).toBeNull();
  dialog.getByRole('button', { name: 'Try again' });
  expect(fixture.history.erased).toEqual([]);
});

test('a history that cannot be read is read again when somebody asks for it', async () => {
  const { fixture, dialog, button } = await ask(selectPassword, () => {}, undefined, weftError('WF011'));
  await waitFor(() => dialog.getByText('Can’t reach the server. Try again.'));
  fixture.history.error = null;
  act(() => dialog.getByRole('button', { name: 'Try again' }).click());
  await isReady(button);
  expect(dialog.queryByRole('alert')).toBeNull();
});

test('rows that change meanwhile are read again; what fails is said, and can be tried again', async () => {
  const { fixture, dialog, button, isClosed } = await ask();
  await isReady(button);
  fixture.history.areSameRows = false;
  button().click();
  await waitFor(() => dialog.getByText('The words couldn’t be erased. Try again.'));
  expect(fixture.history.erased).toHaveLength(10);
  fixture.history.error = weftError('WF011');
  button().click();
  await waitFor(() => dialog.getByText('Can’t reach the server. Try again.'));
  fixture.history.error = null;
  fixture.history.areSameRows = true;
  button().click();
  await waitFor(() => expect(isClosed()).toBe(true));
});

test('a selection without words has nothing to erase', async () => {
  const { dialog } = await ask(({ editor }) => editor.commands.setTextSelection(3));
  expect(dialog.getByRole('alert').textContent).toBe('There are no words in what you selected.');
  expect(dialog.queryByRole('button', { name: 'Erase for good' })).toBeNull();
});
