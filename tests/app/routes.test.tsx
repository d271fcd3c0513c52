import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { RouterProvider, createMemoryRouter } from 'react-router';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { parseReturnAddress } from '../../src/app/screens/account/return-address.ts';
import { routes } from '../../src/app/routes.tsx';
import { ErrorScreen } from '../../src/app/screens/errors/error-screen.tsx';
import { LOST_PREFIX } from '../../src/editor/lost-words/lost-shelf.ts';
import { ERROR_TEXTS } from '../../src/protocol/errors.ts';
import { AppContext } from '../../src/state/hooks.ts';
import {
  type AppFixture,
  alice,
  appFixture,
  bob,
  documentId,
  northquay,
  secret,
  workspaceId,
} from '../support/app/app-fixture.ts';

afterEach(cleanup);
// The editor asks when the faces are there; happy-dom has none.
beforeAll(() => void Object.defineProperty(document, 'fonts', { value: { ready: Promise.resolve() } }));

// Read before the first test needs it: on a busy machine the editor's modules take longer than a test waits for an address.
beforeAll(() => import('../../src/app/screens/page/page-screen.tsx'), 60_000);

async function at(path: string, fixture: AppFixture = appFixture()) {
  const router = createMemoryRouter(routes, { initialEntries: [path] });
  render(
    <AppContext value={fixture.app}>
      <RouterProvider router={router} />
    </AppContext>,
  );
  await act(() => fixture.clock.run(50));
  const address = () => `${router.state.location.pathname}${router.state.location.hash}`;
  /** The address once it is the expected one, or as it stays. A screen's modules are read when it is first opened. */
  const reached = async (expected: RegExp) => {
    for (let tries = 0; tries < 500 && !expected.test(address()); tries++) {
      await act(async () => {
        await new Promise((resolve) => setTimeout(resolve, 20));
        await fixture.clock.run(50);
      });
    }
    return address();
  };
  return { fixture, router, reached };
}

const signedOut = () => appFixture({ signIn: { status: 'signedOut' } });

test('an address inside asks strangers to sign in, and leads there afterwards', async () => {
  const { reached } = await at('/w/northquay', signedOut());
  expect(await reached(/^\/sign-in$/)).toBe('/sign-in');
  fireEvent.change(await screen.findByLabelText('E-mail'), { target: { value: 'alice@weft.example' } });
  fireEvent.change(screen.getByLabelText('Password'), { target: { value: 'correct horse' } });
  await act(async () => void fireEvent.click(screen.getByRole('button', { name: 'Sign in' })));
  expect(await reached(/^\/w\/northquay$/)).toBe('/w/northquay');
});

test('an expired sign-in leads nobody away from their page', async () => {
  const fixture = appFixture();
  const { reached } = await at('/w/northquay', fixture);
  await screen.findByRole('heading', { level: 1, name: 'Northquay' });
  act(() => fixture.become({ status: 'expired', identity: { id: bob.id, email: null, isGuest: false } }));
  expect(await reached(/^\/w\/northquay$/)).toBe('/w/northquay');
});

test('the start leads to the workspace one was in last', async () => {
  const second = { ...northquay, id: workspaceId(2), slug: 'second', name: 'Second' };
  const fixture = appFixture({ workspaces: [northquay, second] });
  await fixture.shelf.save('last-workspace', 'second');
  const { reached } = await at('/', fixture);
  expect(await reached(/^\/w\/second$/)).toBe('/w/second');
});

test('somebody without a workspace names their first one, and lands on its first page', async () => {
  const { reached, fixture } = await at('/', appFixture({ workspaces: [] }));
  expect(await reached(/^\/welcome$/)).toBe('/welcome');
  fireEvent.change(await screen.findByLabelText('Workspace name'), { target: { value: 'Harbour' } });
  await act(async () => void fireEvent.click(screen.getByRole('button', { name: 'Create workspace' })));
  expect(await reached(/^\/w\/harbour\/p\/[0-9a-f-]{36}$/)).toMatch(/^\/w\/harbour\/p\/[0-9a-f-]{36}$/);
  expect(fixture.server.calls).toContain('createWorkspace');
});

test('a wrong name in a page’s address is replaced, the id decides', async () => {
  const { reached } = await at(`/w/northquay/p/some-old-name-${documentId(1)}`);
  expect(await reached(/\/p\/plan/)).toBe(`/w/northquay/p/plan-for-14-june-${documentId(1)}`);
});

test('a page opens its session once and closes it some time after it is left', async () => {
  const { fixture, router } = await at(`/w/northquay/p/${documentId(2)}`);
  await waitFor(async () => {
    await act(() => fixture.clock.run(50));
    expect(fixture.sessions.size).toBe(1);
  });
  const person = fixture.app.store.get(fixture.app.personAtom);
  expect(person?.pages.openValues()).toHaveLength(1);
  await act(() => router.navigate('/w/northquay'));
  await act(() => fixture.clock.run(10_000));
  expect(person?.pages.openValues()).toEqual([]);
});

test('"?" opens the help where it writes nothing; in a field only with Ctrl', async () => {
  await at('/w/northquay');
  await screen.findByRole('heading', { level: 1, name: 'Northquay' });
  const field = document.body.appendChild(document.createElement('input'));
  fireEvent.keyDown(field, { key: '?', code: 'Slash', shiftKey: true });
  expect(screen.queryByRole('dialog')).toBeNull();
  for (const [target, more] of [
    [document.body, {}],
    [field, { ctrlKey: true }],
  ] as const) {
    fireEvent.keyDown(target, { key: '?', code: 'Slash', shiftKey: true, ...more });
    expect(await screen.findByRole('dialog', { name: 'Keys and marks' })).toBeDefined();
    fireEvent.click(screen.getByRole('button', { name: 'Close' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  }
  field.remove();
});

test('the account is a page of its own, with words that were lost on any page of this device', async () => {
  const fixture = appFixture();
  const lost = {
    key: 'k',
    at: Date.now(),
    by: bob.id,
    words: 'and slow down at buoy C',
    kind: 'paragraph',
    after: [],
  };
  localStorage.setItem(`${LOST_PREFIX}${alice.id}:${documentId(1)}`, JSON.stringify([lost]));
  await at('/account', fixture);
  expect(await screen.findByText('and slow down at buoy C')).toBeDefined();
  const link = await screen.findByRole('link', { name: 'Go to its place' });
  expect(link.getAttribute('href')).toBe(`/w/northquay/p/plan-for-14-june-${documentId(1)}`);
  fireEvent.click(screen.getByRole('button', { name: 'Let go' }));
  expect(screen.queryByText('and slow down at buoy C')).toBeNull();
  expect(Object.keys(localStorage).filter((name) => name.startsWith(LOST_PREFIX))).toEqual([]);
});

test('an address that means nothing says so', async () => {
  await at('/nothing/here');
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('There is nothing at this address');
});

test('a workspace that is not there, and a page without an id, are the catalogue’s “not there”', async () => {
  await at('/w/elsewhere');
  expect((await screen.findByRole('heading', { level: 1 })).textContent).toBe(ERROR_TEXTS.WF001);
  cleanup();
  await at('/w/northquay/p/no-id-here');
  expect(await screen.findByText(ERROR_TEXTS.WF001)).toBeDefined();
});

test('a link to edit asks a stranger who they are; a guest comes in at once', async () => {
  const fixture = signedOut();
  fixture.watch.view = {
    phase: 'opening',
    documentId: documentId(1),
    title: 'Plan',
    role: 'editor',
    changedAt: null,
    error: null,
  };
  const { reached } = await at(`/s#${secret('q')}`, fixture);
  expect(await screen.findByRole('heading', { level: 1, name: '“Plan”' })).toBeDefined();
  expect(fixture.server.calls).not.toContain('redeemLink');
  await act(async () => void fireEvent.click(screen.getByRole('button', { name: 'Continue as guest' })));
  expect(await reached(/\/p\/plan/)).toBe(`/w/northquay/p/plan-for-14-june-${documentId(1)}`);
  expect(fixture.server.calls).toContain('redeemLink');
});

test('a link that is no link says so', async () => {
  await at('/s#short', signedOut());
  expect(await screen.findByText(ERROR_TEXTS.WF009)).toBeDefined();
});

test('a screen that breaks offers to load the page again, and says what is safe', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const fixture = appFixture();
  const broken = [{ path: '/', ErrorBoundary: ErrorScreen, Component: Broken }];
  render(
    <AppContext value={fixture.app}>
      <RouterProvider router={createMemoryRouter(broken)} />
    </AppContext>,
  );
  expect(screen.getByRole('heading', { name: 'Something went wrong' })).toBeDefined();
  expect(screen.getByRole('alert').textContent).toMatch(/^Everything you wrote is on the server\. Code WF-render-/);
});

function Broken(): never {
  throw new Error('broken on purpose');
}

test.each([
  [{ to: '/w/northquay' }, '/w/northquay'],
  [{ to: '//evil.example' }, null],
  [{ to: '/\\evil.example' }, null],
  [{ to: 'https://evil.example' }, null],
  [{ to: 7 }, null],
  [null, null],
])('where to go after signing in: %j is %j', (state, to) => expect(parseReturnAddress(state)).toBe(to));
