// The history of a page behind a link: offered only by a link that shows it, read-only, and without people.
import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { RouterProvider, createMemoryRouter } from 'react-router';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { plainRun, textBlock } from 'weft-document/blocks/detached-block.ts';
import { elementsOfBlocks } from 'weft-document/body/fill-page.ts';
import { bodyOf } from 'weft-document/names.ts';
import { weftError } from 'weft-sync/protocol/errors.ts';
import type { Row } from 'weft-sync/protocol/row.ts';
import { routes } from '../../../src/app/routes.tsx';
import { parseVersionId } from '../../../src/protocol/ids.ts';
import { AppContext } from '../../../src/state/hooks.ts';
import { ERROR_TEXTS } from '../../../src/texts/error-texts.ts';
import { type AppFixture, alice, appFixture, bob, documentId, secret } from '../../support/app/app-fixture.ts';
import { advance } from '../../support/app/render-in-app.tsx';
import { Writer, sessionOf } from '../../support/editor/random-log.ts';

const HOUR = 60 * 60_000;
const noon = new Date(2026, 5, 5, 12).getTime();
const version = parseVersionId('00000000-0000-4000-8000-000000000001');

class NeverSeen {
  observe() {}
  unobserve() {}
  disconnect() {}
}

// Loaded before the tests: on a busy machine they take longer to load than a test waits.
beforeAll(async () => {
  await import('../../../src/screens/link/link-screen.tsx');
  await import('../../../src/screens/link/link-history-screen.tsx');
}, 60_000);
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: noon });
  vi.stubGlobal('IntersectionObserver', NeverSeen);
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Alice writes, and names that version. An hour later she writes on, and her row passes on what Bob wrote. */
function written({ history }: AppFixture): void {
  const [one, other] = [new Writer(1), new Writer(2)];
  const line = (words: string) => [...elementsOfBlocks([textBlock({}, [plainRun(words)])])];
  bodyOf(one.doc).insert(0, line('Slip swept and ropes down'));
  one.send(history.rows, noon - 5 * HOUR);
  other.receive(history.rows);
  bodyOf(other.doc).insert(1, line('Two words'));
  const dependencies: Row[] = [];
  other.send(dependencies);
  bodyOf(one.doc).insert(1, line('Later'));
  one.send(history.rows, noon - 4 * HOUR);
  history.rows.splice(1, 1, ...history.rows.slice(1).map((row) => ({ ...row, dependencies })));
  history.authors.set(sessionOf(1), alice.id).set(sessionOf(2), bob.id);
  if (version === null) throw new Error('malformed id');
  history.versions = [
    {
      id: version,
      document: documentId(1),
      seq: 1,
      name: 'To the committee',
      kind: 'named',
      createdBy: alice.id,
      createdAt: noon,
      at: noon,
    },
  ];
}

async function open(path: string, view: Partial<AppFixture['watch']['view']> = {}, prepare = written) {
  const fixture = appFixture({ signIn: { status: 'signedOut' } });
  prepare(fixture);
  const watched = { phase: 'live', documentId: documentId(1), title: 'Plan', role: 'viewer', changedAt: noon } as const;
  fixture.watch.view = { ...fixture.watch.view, ...watched, ...view };
  const router = createMemoryRouter(routes, { initialEntries: [path] });
  render(
    <AppContext value={fixture.app}>
      <RouterProvider router={router} />
    </AppContext>,
  );
  await settle(fixture);
  return { fixture, router };
}

async function settle(fixture: AppFixture): Promise<void> {
  for (let times = 0; times < 8; times++) {
    await advance(fixture, 50);
    await act(() => new Promise((done) => setTimeout(done, 10)));
  }
}

const hash = `#${secret('q')}`;
const region = () => screen.findByRole('region', { name: 'Page at this version' });
const list = () => screen.getByRole('list', { name: 'Versions' });

test('a watched page offers the history if its link shows it, and only then', async () => {
  await open(`/s${hash}`, { showsHistory: true });
  expect((await screen.findByRole('link', { name: 'History' })).getAttribute('href')).toBe(`/s/history${hash}`);
  cleanup();
  await open(`/s${hash}`);
  await screen.findByRole('link', { name: 'Sign in' });
  expect(screen.queryByRole('link', { name: 'History' })).toBeNull();
});

test('it shows editing sessions, versions and changes, and names no one', async () => {
  await open(`/s/history${hash}`, { showsHistory: true });
  const inserted = within(await region()).getAllByRole('insertion');
  expect(inserted.map(({ textContent, title }) => [textContent, title]).toSorted()).toEqual([
    ['Later', 'Added by someone, Today, 08:00'],
    ['Two words', 'Added by someone, Today, 08:00'],
  ]);
  const items = within(list()).getAllByRole('listitem');
  expect(items.map((item) => item.textContent)).toEqual([
    expect.stringMatching(/^Today08:00/),
    'To the committee07:00',
    expect.stringMatching(/^07:00Page created/),
  ]);
  expect(document.body.textContent).not.toMatch(/Alice|Bob|You\b/);
  expect(screen.queryByRole('button', { name: /^Whose versions|person$/ })).toBeNull();
});

test('an editing session in a compacted row begins when the first of its edits was made', async () => {
  await open(`/s/history${hash}`, { showsHistory: true }, (fixture) => {
    written(fixture);
    const { rows } = fixture.history;
    rows.splice(1, 1, ...rows.slice(1).map((row) => ({ ...row, firstSeq: 2, firstAt: noon - 4.25 * HOUR })));
  });
  await region();
  expect(within(list()).getAllByRole('listitem')[0]?.textContent).toMatch(/^Today07:45/);
  expect(screen.getAllByText('Today, 07:45 to 08:00').length).toBeGreaterThan(0);
});

test('it goes to earlier moments, and restores, names, copies and exports nothing', async () => {
  const { fixture } = await open(`/s/history${hash}`, { showsHistory: true });
  await region();
  fireEvent.click(within(list()).getByRole('button', { name: /^07:00/ }));
  await settle(fixture);
  expect((await region()).textContent).not.toContain('Two words');
  fireEvent.click(screen.getByText('Slip swept and ropes down'));
  await settle(fixture);
  expect(screen.queryByRole('button', { name: /Restore|Copy|Export/ })).toBeNull();
  fireEvent.click(screen.getByRole('button', { name: 'More' }));
  await settle(fixture);
  expect(screen.getAllByRole('menuitem').map((item) => item.textContent)).toEqual(['Compare with now']);
  fireEvent.keyDown(document.activeElement ?? document.body, { key: 'Escape' });
  await settle(fixture);
  fireEvent.click(within(list()).getByRole('button', { name: 'More for To the committee' }));
  await settle(fixture);
  expect(screen.getAllByRole('menuitem').map((item) => item.textContent)).toEqual(['Compare with this version']);
});

test.each([
  ['the link does not show it', {}, 'This link doesn’t show the page’s history'],
  ['the link ended', { phase: 'ended', documentId: null, showsHistory: true }, ERROR_TEXTS.WF009],
] as const)('if %s, the screen says so and reads nothing', async (_what, view, title) => {
  await open(`/s/history${hash}`, view);
  expect(await screen.findByRole('heading', { level: 1, name: title })).toBeDefined();
  expect(screen.queryByRole('list', { name: 'Versions' })).toBeNull();
});

test.each([
  ['WF002', 'This link doesn’t show the page’s history', false],
  ['WF009', ERROR_TEXTS.WF009, false],
  ['WF011', 'The history needs the server', true],
] as const)('if reading fails with %s, the screen says so', async (code, title, canTryAgain) => {
  await open(`/s/history${hash}`, { showsHistory: true }, ({ history }) => void (history.error = weftError(code)));
  expect(await screen.findByRole('heading', { level: 1, name: title })).toBeDefined();
  expect(screen.getByRole('link', { name: 'Back to page' }).getAttribute('href')).toBe(`/s${hash}`);
  expect(screen.queryAllByRole('button', { name: 'Try now' })).toHaveLength(canTryAgain ? 1 : 0);
});

test('a link to edit leads to its page, where people say who they are', async () => {
  const { router } = await open(`/s/history${hash}`, { role: 'editor', showsHistory: true });
  await screen.findByRole('heading', { level: 1, name: '“Plan”' });
  expect(`${router.state.location.pathname}${router.state.location.hash}`).toBe(`/s${hash}`);
});
