import { cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { changeTitle } from '../../../src/document/title.ts';
import { PageTree } from '../../../src/features/page-tree/page-tree.tsx';
import type { DocumentId } from '../../../src/protocol/ids.ts';
import { appWorld, bert, documentId, northquay, page } from '../../support/app/app-fixture.ts';
import { pass, personOf, renderInside } from '../../support/app/render-in-app.tsx';
import { act } from '@testing-library/react';

afterEach(cleanup);

async function tree() {
  const world = appWorld();
  world.server.documents.push(page(3, 'Waves', { parentId: documentId(1) }), page(4, '', { rank: 'a9' }));
  const onNewPage = vi.fn<(parent: DocumentId | null) => void>();
  await renderInside(world, <PageTree current={documentId(1)} onNewPage={onNewPage} onChosen={() => undefined} />);
  await pass(world, 2_000);
  return { world, onNewPage };
}

test('lists the pages by rank, children below their parent, and marks the one that is open', async () => {
  await tree();
  const links = screen.getAllByRole('link');
  expect(links.map((link) => link.textContent)).toEqual(['Plan for 14 June', 'Waves', 'Minutes', 'Untitled']);
  expect(links[0]?.getAttribute('aria-current')).toBe('page');
  expect(links[0]?.getAttribute('href')).toBe(`/w/${northquay.slug}/p/plan-for-14-june-${documentId(1)}`);
});

test('folds and unfolds what is below a page', async () => {
  await tree();
  const fold = screen.getByRole('button', { name: 'Pages in Plan for 14 June' });
  fireEvent.click(fold);
  expect(fold.getAttribute('aria-expanded')).toBe('false');
  expect(screen.queryByText('Waves')).toBeNull();
});

test('shows a title while it is typed, before any list knows it', async () => {
  const { world } = await tree();
  personOf(world).pages.acquire(documentId(2));
  await pass(world, 10);
  const session = world.sessions.get(documentId(2));
  if (session === undefined) throw new Error('no session');
  act(() => changeTitle(session.doc, { index: 0, remove: 0, insert: 'Minutes of May' }));
  expect(screen.getByText('Minutes of May')).toBeDefined();
});

test('says who is on which page, and nothing of oneself', async () => {
  const { world } = await tree();
  act(() =>
    world.stream.show([
      { user: bert.id, document: documentId(1) },
      { user: personOf(world).identity.id, document: documentId(2) },
    ]),
  );
  await pass(world, 10);
  expect(screen.getAllByRole('img').map((ticks) => ticks.getAttribute('aria-label'))).toEqual(['Here now: Bert Holm']);
});

test('says which pages have edits that are only on this device, not between a key and its answer', async () => {
  const { world } = await tree();
  personOf(world).pages.acquire(documentId(2));
  await pass(world, 10);
  act(() => world.sessions.get(documentId(2))?.setView({ receipt: 'device', unsent: { edits: 2, oldestAt: 5 } }));
  const mark = { name: '2 edits on this device only' };
  expect(screen.queryByRole('img', mark)).toBeNull();
  await screen.findByRole('img', mark, { timeout: 5_000 });
  act(() => world.sessions.get(documentId(2))?.setView({ receipt: 'saved', unsent: { edits: 0, oldestAt: null } }));
  expect(screen.queryByRole('img', mark)).toBeNull();
});

test('says which pages do not open while the server does not answer', async () => {
  const { world } = await tree();
  const away = () => screen.getAllByRole('link').filter((link) => link.textContent?.endsWith(', not on this device'));
  expect(away()).toEqual([]);
  world.device.kept.push({ document: documentId(2), openedAt: 1, bytes: 1, isUnsent: false });
  world.goOffline();
  await act(() => personOf(world).keptPages.look());
  act(() => personOf(world).noteOffline());
  await pass(world, 2_000);
  expect(away().map((link) => link.textContent)).toEqual([
    'Plan for 14 June, not on this device',
    'Waves, not on this device',
    'Untitled, not on this device',
  ]);
  world.goOnline();
  await pass(world, 60_000);
  expect(away()).toEqual([]);
});

test('makes a page at the top and one below another', async () => {
  const { onNewPage } = await tree();
  fireEvent.click(screen.getByRole('button', { name: 'New page' }));
  fireEvent.click(screen.getByRole('button', { name: 'New page in Minutes' }));
  expect(onNewPage.mock.calls).toEqual([[null], [documentId(2)]]);
});
