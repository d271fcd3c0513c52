// "Who wrote this?" on the real editor and the real history engine, over a log that two people wrote.
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { plainRun, textBlock } from 'weft-document/blocks/detached-block.ts';
import { elementsOfBlocks, fillPage } from 'weft-document/body/fill-page.ts';
import { bodyOf } from 'weft-document/names.ts';
import { weftError } from 'weft-sync/protocol/errors.ts';
import type { Row } from 'weft-sync/protocol/row.ts';
import * as Y from 'yjs';
import { WhoWroteDialog } from '../../../src/features/who-wrote/who-wrote-dialog.tsx';
import { alice, appFixture, bob } from '../../support/app/app-fixture.ts';
import { renderInApp } from '../../support/app/render-in-app.tsx';
import { openPage } from '../../support/editor/opened-page.ts';
import { pageSession } from '../../support/editor/page-session.ts';
import { Writer, sessionOf } from '../../support/editor/random-log.ts';

afterEach(cleanup);

const PATH = '/w/northquay/p/plan';

/** Alice writes two lines, Bob adds to the first, and moves the second before it. */
function logOfTwo(): readonly Row[] {
  const rows: Row[] = [];
  const [first, second] = [new Writer(0), new Writer(1)];
  fillPage(
    first.doc,
    'Plan',
    elementsOfBlocks(['The boat leaves.', 'Bring soup for everyone.'].map((line) => textBlock({}, [plainRun(line)]))),
  );
  first.send(rows, Date.now() - 60_000);
  second.receive(rows);
  const [boat, soup] = bodyOf(second.doc).toArray();
  const text = boat instanceof Y.XmlElement ? boat.get(0) : null;
  if (!(text instanceof Y.XmlText) || !(soup instanceof Y.XmlElement)) throw new Error('no text');
  text.insert(15, ' at nine');
  second.send(rows, Date.now() - 30_000);
  const copy = soup.clone();
  second.doc.transact(() => {
    bodyOf(second.doc).delete(1, 1);
    bodyOf(second.doc).insert(0, [copy]);
  });
  second.send(rows, Date.now());
  return rows;
}

const partsOf = ({ update, dependencies }: Row) =>
  [...dependencies, { update }].flatMap((part) => (part.update.length > 0 ? [part.update] : []));

async function ask(
  select: (page: ReturnType<typeof openPage>) => void,
  { error = false, rows = logOfTwo() }: { readonly error?: boolean; readonly rows?: readonly Row[] } = {},
) {
  const fixture = appFixture();
  fixture.history.rows.push(...rows);
  fixture.history.authors.set(sessionOf(0), alice.id).set(sessionOf(1), bob.id).set(sessionOf(2), alice.id);
  if (error) fixture.history.error = weftError('WF011');
  const session = pageSession(Y.mergeUpdates(rows.flatMap(partsOf)));
  const page = openPage(session);
  select(page);
  await renderInApp(
    fixture,
    <WhoWroteDialog editor={page.editor} {...{ session }} path={PATH} onErase={null} onClose={() => undefined} />,
  );
  return { fixture, dialog: within(screen.getByRole('dialog', { name: 'Who wrote this?' })) };
}

const writers = async (dialog: Awaited<ReturnType<typeof ask>>['dialog']) => {
  await waitFor(() => dialog.getByRole('list', { name: 'Writers' }));
  return dialog.queryAllByRole('listitem').map((row) => row.querySelector('.who-wrote-name')?.textContent);
};

test('says who wrote the selected words and when, with a link to that moment', async () => {
  const { dialog } = await ask(({ editor }) => {
    // "boat leaves at nine."
    const at = editor.state.doc.child(0).nodeSize + 1;
    editor.commands.setTextSelection({ from: at + 4, to: at + 24 });
  });
  expect(dialog.getByText('boat leaves at nine.').tagName).toBe('BLOCKQUOTE');
  expect(await writers(dialog)).toEqual(['Saved by you', 'Saved by Bob Holm']);
  const links = dialog.getAllByRole('link', { name: 'Show in history' }).map((link) => link.getAttribute('href'));
  expect(links).toEqual([`${PATH}/history?seq=1`, `${PATH}/history?seq=2`]);
  expect(dialog.getByText('2 writers').getAttribute('role')).toBe('status');
});

test('what an app passes on as another one’s words is named by the account that saved it', async () => {
  const rows: Row[] = [];
  const [owner, claimed] = [new Writer(0), new Writer(2)];
  fillPage(owner.doc, 'Plan', elementsOfBlocks([textBlock({}, [plainRun('The boat leaves.')])]));
  owner.send(rows);
  claimed.receive(rows);
  const text = bodyOf(claimed.doc).get(0);
  const inner = text instanceof Y.XmlElement ? text.get(0) : null;
  if (!(inner instanceof Y.XmlText)) throw new Error('no text');
  inner.insert(0, 'I resign. ');
  claimed.send(rows);
  // Bob's app made these words up, and appends them as an edit of the owner's other session.
  const forged = rows.pop();
  if (forged === undefined) throw new Error('no row');
  rows.push(new Writer(1).relay(forged));
  const { dialog } = await ask(({ editor }) => editor.commands.setTextSelection({ from: 1, to: 10 }), { rows });
  expect(await writers(dialog)).toEqual(['Saved by Bob Holm']);
  expect(dialog.getByRole('listitem').textContent).toContain('passed on as yours');
});

test('a block that someone moved keeps its writer', async () => {
  const { dialog } = await ask(({ editor }) => editor.commands.setTextSelection({ from: 1, to: 12 }));
  expect(await writers(dialog)).toEqual(['Saved by you']);
});

test('words that the server does not have yet are no one’s', async () => {
  const { dialog } = await ask((page) => {
    page.caret(0, 0);
    page.type('Now: ');
    page.editor.commands.setTextSelection({ from: 1, to: 6 });
  });
  await waitFor(() => dialog.getByText('These words are not in the history yet.'));
  expect(await writers(dialog)).toEqual([]);
});

test('a block without words has no writers, and the dialog says so', async () => {
  const { dialog } = await ask((page) => {
    const { editor } = page;
    editor.commands.setTextSelection(5);
  });
  await waitFor(() => dialog.getByText('There are no words in what you selected.'));
  expect(dialog.queryByRole('list', { name: 'Writers' })).toBe(null);
});

test('says why there is no answer offline, and asks again', async () => {
  const { dialog, fixture } = await ask(({ editor }) => editor.commands.setTextSelection({ from: 1, to: 12 }), {
    error: true,
  });
  await waitFor(() => dialog.getByRole('alert'));
  expect(dialog.getByRole('alert').textContent).toBe('The history needs the server. It isn’t on this device.');
  fixture.history.error = null;
  dialog.getByRole('button', { name: 'Try again' }).click();
  expect(await writers(dialog)).toEqual(['Saved by you']);
});
