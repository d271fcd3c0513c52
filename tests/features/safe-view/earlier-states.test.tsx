// Restoring an earlier state in the safe view, through the real history engine.
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { plainRun, textBlock } from 'weft-document/blocks/detached-block.ts';
import { bodyText } from 'weft-document/body/body-text.ts';
import { elementsOfBlocks, fillPage } from 'weft-document/body/fill-page.ts';
import { bodyOf } from 'weft-document/names.ts';
import { weftError } from 'weft-sync/protocol/errors.ts';
import type { Row } from 'weft-sync/protocol/row.ts';
import * as Y from 'yjs';
import { EarlierStates } from '../../../src/features/safe-view/earlier-states.tsx';
import { restoreState } from '../../../src/features/safe-view/restore-state.ts';
import { err } from '../../../src/lib/result.ts';
import { parseVersionId } from '../../../src/protocol/ids.ts';
import { alice, appFixture, bob } from '../../support/app/app-fixture.ts';
import { personOf, renderInApp } from '../../support/app/render-in-app.tsx';
import { pageSession } from '../../support/editor/page-session.ts';
import { Writer, sessionOf } from '../../support/editor/random-log.ts';

afterEach(cleanup);

const HOUR = 60 * 60_000;

/** Alice writes a page; an hour later Bob fills it with 2,000 blocks and deletes its second line. */
function flooded() {
  const rows: Row[] = [];
  const now = Date.now();
  const [first, second] = [new Writer(0), new Writer(1)];
  const blocks = (lines: readonly string[]) => elementsOfBlocks(lines.map((line) => textBlock({}, [plainRun(line)])));
  fillPage(first.doc, 'Plan', blocks(['Good words.', 'Bring soup.']));
  first.send(rows, now - HOUR);
  second.receive(rows);
  bodyOf(second.doc).delete(1, 1);
  bodyOf(second.doc).insert(0, [...blocks(Array.from({ length: 2000 }, () => 'spam'))]);
  second.send(rows, now);
  const fixture = appFixture();
  fixture.history.rows.push(...rows);
  fixture.history.authors.set(sessionOf(0), alice.id).set(sessionOf(1), bob.id);
  const editingSession = { edits: 1, passedOn: 0 };
  fixture.history.editingSessions = [
    { ...editingSession, fromSeq: 2, toSeq: 2, from: now, to: now, authors: [bob.id] },
    { ...editingSession, fromSeq: 1, toSeq: 1, from: now - HOUR, to: now - HOUR, authors: [alice.id] },
  ];
  return { fixture, session: pageSession(Y.mergeUpdates(rows.map(({ update }) => update))) };
}

test('the page becomes what it was after an earlier editing session, after a version of what it is, and can be taken back', async () => {
  const { fixture, session } = flooded();
  const before = bodyText(session.doc);
  await renderInApp(fixture, <EarlierStates session={session} />);
  fireEvent.click(screen.getByRole('button', { name: 'Restore an earlier state…' }));
  const button = await screen.findByRole('button', { name: /^Restore the page as of / });
  expect(screen.getByRole('listitem').textContent).toMatch(/· 1 edit by you/);
  fireEvent.click(button);
  await waitFor(() => expect(screen.getByRole('status').textContent).toBe('Restored.'));
  expect(bodyText(session.doc)).toBe('Good words.\nBring soup.');
  expect(fixture.history.versions).toMatchObject([{ seq: 2, kind: 'restore', name: null }]);
  fireEvent.click(screen.getByRole('button', { name: 'Undo restore' }));
  await waitFor(() => expect(bodyText(session.doc)).toBe(before));
});

test('says what keeps it from restoring, and changes nothing', async () => {
  const { fixture, session } = flooded();
  await fixture.clock.run(10);
  const { histories } = personOf(fixture);
  const version = parseVersionId('00000000-0000-4000-8000-000000000001');
  if (version === null) throw new Error('malformed id');
  const before = session.localUpdates.length;
  const ask = (open: typeof histories.open) =>
    restoreState({ open, nameVersion: histories.nameVersion }, session, { seq: 1, version });
  const slow: typeof histories.open = async (document) =>
    Object.assign(await histories.open(document), { fileAt: async () => err('tooSlow' as const) });
  expect(await ask(slow)).toMatch(/^Reading this page’s history takes too long for a browser tab/);
  session.setView({ editable: false });
  expect(await ask(histories.open)).toBe('The page can’t be edited now.');
  fixture.history.error = weftError('WF011');
  expect(await ask(histories.open)).toMatch(/offline|server/i);
  expect(session.localUpdates.length).toBe(before);
});

test('a page of one editing session has no earlier state', async () => {
  const { fixture, session } = flooded();
  fixture.history.editingSessions = fixture.history.editingSessions.slice(0, 1);
  await renderInApp(fixture, <EarlierStates session={session} />);
  fireEvent.click(screen.getByRole('button', { name: 'Restore an earlier state…' }));
  expect(await screen.findByText(/written in one editing session/)).toBeTruthy();
});
