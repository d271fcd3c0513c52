import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { RouterProvider, createMemoryRouter } from 'react-router';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { routes } from '../../src/app/routes.tsx';
import { parseReturnAddress } from '../../src/features/account/sign-in/return-address.ts';
import { ErrorScreen } from '../../src/screens/errors/error-screen.tsx';
import { AppContext } from '../../src/state/hooks.ts';
import { ERROR_TEXTS } from '../../src/texts/error-texts.ts';
import { STORED_TEXTS } from '../../src/ui/browser/stored-texts.ts';
import {
  type AppFixture,
  alice,
  appFixture,
  bob,
  documentId,
  inviteId,
  northquay,
  secret,
  workspaceId,
} from '../support/app/app-fixture.ts';
import { personOf } from '../support/app/render-in-app.tsx';

afterEach(cleanup);
// The editor waits for `document.fonts`, which happy-dom lacks.
beforeAll(() => void Object.defineProperty(document, 'fonts', { value: { ready: Promise.resolve() } }));

// Loaded before the tests: on a busy machine the editor's modules take longer to load than a test waits.
beforeAll(() => import('../../src/screens/page/page-screen.tsx'), 60_000);

async function openApp(path: string, fixture: AppFixture = appFixture()) {
  const router = createMemoryRouter(routes, { initialEntries: [path] });
  render(
    <AppContext value={fixture.app}>
      <RouterProvider router={router} />
    </AppContext>,
  );
  await act(() => fixture.clock.run(50));
  const address = () => `${router.state.location.pathname}${router.state.location.hash}`;
  /** Waits for an address that matches `expected`, and returns the address there is then. Screens load on first use. */
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

test('a workspace’s address asks people to sign in, and leads there afterwards', async () => {
  const { reached } = await openApp('/w/northquay', signedOut());
  expect(await reached(/^\/sign-in$/)).toBe('/sign-in');
  fireEvent.change(await screen.findByLabelText('Email'), { target: { value: 'alice@weft.example' } });
  fireEvent.change(screen.getByLabelText('Password'), { target: { value: 'correct horse' } });
  await act(async () => void fireEvent.click(screen.getByRole('button', { name: 'Sign in' })));
  expect(await reached(/^\/w\/northquay$/)).toBe('/w/northquay');
});

test('an expired sign-in does not leave the screen', async () => {
  const fixture = appFixture();
  const { reached } = await openApp('/w/northquay', fixture);
  await screen.findByRole('heading', { level: 1, name: 'Northquay' });
  act(() => fixture.setSignIn({ status: 'expired', identity: { id: bob.id, email: null, isGuest: false } }));
  expect(await reached(/^\/w\/northquay$/)).toBe('/w/northquay');
});

test('the start address leads to the workspace that was open last', async () => {
  const second = { ...northquay, id: workspaceId(2), slug: 'second', name: 'Second' };
  const fixture = appFixture({ workspaces: [northquay, second] });
  await fixture.listCache.save('last-workspace', 'second');
  const { reached } = await openApp('/', fixture);
  expect(await reached(/^\/w\/second$/)).toBe('/w/second');
});

test('a person without a workspace names their first one, and arrives on its first page', async () => {
  const { reached, fixture } = await openApp('/', appFixture({ workspaces: [] }));
  expect(await reached(/^\/welcome$/)).toBe('/welcome');
  fireEvent.change(await screen.findByLabelText('Workspace name'), { target: { value: 'Harbour' } });
  await act(async () => void fireEvent.click(screen.getByRole('button', { name: 'Create workspace' })));
  expect(await reached(/^\/w\/harbour\/p\/[0-9a-f-]{36}$/)).toMatch(/^\/w\/harbour\/p\/[0-9a-f-]{36}$/);
  expect(fixture.server.calls).toContain('createWorkspace');
});

test('a wrong title in a page’s address is corrected; the id decides which page opens', async () => {
  const { reached } = await openApp(`/w/northquay/p/some-old-name-${documentId(1)}`);
  expect(await reached(/\/p\/plan/)).toBe(`/w/northquay/p/plan-for-14-june-${documentId(1)}`);
});

test('a page opens its session once, and closes it some time after the person left', async () => {
  const { fixture, router } = await openApp(`/w/northquay/p/${documentId(2)}`);
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

test('a page opens before the server has said which workspaces there are', async () => {
  const fixture = signedOut();
  fixture.server.isSilent = true;
  fixture.setSignIn({ status: 'signedIn', identity: alice });
  await openApp(`/w/northquay/p/${documentId(2)}`, fixture);
  await waitFor(async () => {
    await act(() => fixture.clock.run(50));
    expect(fixture.sessions.size).toBe(1);
  });
});

test('"?" opens the help outside of fields; inside a field only with Ctrl', async () => {
  await openApp('/w/northquay');
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

test('the account page lists the recovered text of all pages on this device', async () => {
  const fixture = appFixture();
  const lost = {
    key: 'k',
    at: Date.now(),
    by: bob.id,
    words: 'and slow down at buoy C',
    kind: 'paragraph',
    after: [],
  };
  localStorage.setItem(`${STORED_TEXTS.recoveredText}${alice.id}:${documentId(1)}`, JSON.stringify([lost]));
  await openApp('/account', fixture);
  expect(await screen.findByText('and slow down at buoy C')).toBeDefined();
  const link = await screen.findByRole('link', { name: 'Go to its place' });
  expect(link.getAttribute('href')).toBe(`/w/northquay/p/plan-for-14-june-${documentId(1)}`);
  fireEvent.click(screen.getByRole('button', { name: 'Dismiss' }));
  expect(screen.queryByText('and slow down at buoy C')).toBeNull();
  expect(Object.keys(localStorage).filter((name) => name.startsWith(STORED_TEXTS.recoveredText))).toEqual([]);
});

test('an unknown address shows “Page not found”', async () => {
  await openApp('/nothing/here');
  expect(await screen.findByRole('heading', { level: 1, name: 'Page not found' })).toBeDefined();
});

test('an unknown workspace and a page address without an id show the text of WF001', async () => {
  await openApp('/w/elsewhere');
  expect((await screen.findByRole('heading', { level: 1 })).textContent).toBe(ERROR_TEXTS.WF001);
  cleanup();
  await openApp('/w/northquay/p/no-id-here');
  expect(await screen.findByText(ERROR_TEXTS.WF001)).toBeDefined();
});

test('an edit link asks people to sign in; a guest opens the page at once', async () => {
  const fixture = signedOut();
  fixture.watch.view = {
    phase: 'opening',
    documentId: documentId(1),
    title: 'Plan',
    role: 'editor',
    changedAt: null,
    presenter: null,
    showsHistory: false,
    comments: null,
    rebuilds: 0,
    error: null,
  };
  const { reached } = await openApp(`/s#${secret('q')}`, fixture);
  expect(await screen.findByRole('heading', { level: 1, name: '“Plan”' })).toBeDefined();
  expect(fixture.server.calls).not.toContain('redeemLink');
  await act(async () => void fireEvent.click(screen.getByRole('button', { name: 'Continue as guest' })));
  expect(await reached(/\/p\/plan/)).toBe(`/w/northquay/p/plan-for-14-june-${documentId(1)}`);
  expect(fixture.server.calls).toContain('redeemLink');
});

test('a link to watch shows the page to someone who is signed in as to anyone else, and gives them no role', async () => {
  const fixture = appFixture();
  fixture.watch.view = {
    ...fixture.watch.view,
    documentId: documentId(1),
    title: 'Plan',
    role: 'viewer',
    phase: 'live',
  };
  const { router } = await openApp(`/s#${secret('q')}`, fixture);
  expect(await screen.findByText('Live', { selector: '.live-badge b' })).toBeDefined();
  expect(router.state.location.pathname).toBe('/s');
  expect(fixture.server.calls).not.toContain('redeemLink');
});

test('a guest of single pages leaves from the menu of workspaces, after a question', async () => {
  const fixture = appFixture({ workspaces: [{ ...northquay, role: null }] });
  await openApp('/w/northquay', fixture);
  const press = async (role: 'button' | 'menuitem', name: string) => {
    fireEvent.click(await screen.findByRole(role, { name }));
    await act(() => fixture.clock.run(50));
  };
  await press('button', 'Workspaces');
  await press('menuitem', 'Leave workspace…');
  expect(screen.getByText(/You lose access to all of .*, including pages shared with you by name/)).toBeDefined();
  expect(fixture.server.calls).not.toContain('remove');
  await press('button', 'Leave');
  expect(fixture.server.calls).toContain('remove');
  expect(await screen.findByText(`You left ${northquay.name}.`)).toBeDefined();
});

test('an invitation says who invites to what, asks to sign in, and lets people join', async () => {
  const info = {
    id: inviteId(1),
    workspace: 'Quayside',
    inviter: 'Hugo Lind',
    role: 'member' as const,
    documentRole: null,
    expiresAt: 1,
    createdAt: 0,
    emailHint: null,
  };
  const stranger = signedOut();
  stranger.people.info = info;
  await openApp(`/i#${secret('q')}`, stranger);
  expect(await screen.findByRole('heading', { level: 1, name: 'Join Quayside' })).toBeDefined();
  expect(screen.getByText('Hugo Lind invited you as a member.')).toBeDefined();
  expect(screen.getByRole('link', { name: 'Sign in' })).toBeDefined();
  cleanup();

  const fixture = appFixture();
  fixture.people.info = info;
  const { reached } = await openApp(`/i#${secret('q')}`, fixture);
  await act(async () => void fireEvent.click(await screen.findByRole('button', { name: 'Join' })));
  expect(await reached(/^\/w\/northquay$/)).toBe('/w/northquay');
  expect(fixture.server.calls).toContain('acceptInvite');
});

test('an invitation that ended says so', async () => {
  await openApp(`/i#${secret('q')}`);
  expect(await screen.findByText(ERROR_TEXTS.WF009)).toBeDefined();
});

test('a link with a malformed secret shows the text of WF009', async () => {
  await openApp('/s#short', signedOut());
  expect(await screen.findByText(ERROR_TEXTS.WF009)).toBeDefined();
});

describe('a screen that fails', () => {
  beforeEach(() => void vi.spyOn(console, 'error').mockImplementation(() => undefined));

  function renderBroken(fixture: AppFixture) {
    const broken = [{ path: '/', ErrorBoundary: ErrorScreen, Component: Broken }];
    render(
      <AppContext value={fixture.app}>
        <RouterProvider router={createMemoryRouter(broken)} />
      </AppContext>,
    );
  }

  test('says that everything is saved, with a code', async () => {
    renderBroken(appFixture());
    expect(screen.getByRole('heading', { name: 'Something went wrong' })).toBeDefined();
    expect(screen.getByRole('alert').textContent).toMatch(
      /^Weft couldn’t show this screen\. Code WF-app-[0-9a-f]{4}\.$/,
    );
    expect(await screen.findByText('All edits made on this device are on the server.')).toBeDefined();
  });

  test('counts the unsent edits of pages that are not open, and offers them as a file', async () => {
    renderBroken(appFixture({ unsent: [{ document: documentId(2), edits: 3, oldestAt: 0 }] }));
    expect(await screen.findByText('Your 3 unsent edits are safe on this device.')).toBeDefined();
    expect(screen.queryByText(/on the server/)).toBeNull();
    expect(screen.getByRole('button', { name: 'Download a copy' })).toBeDefined();
  });

  test('keeps pages open whose edits only this tab has', async () => {
    const fixture = appFixture({ view: { receipt: 'tab', unsent: { edits: 2, oldestAt: 1 } } });
    const person = personOf(fixture);
    const { release } = person.pages.acquire(documentId(1));
    await act(() => fixture.clock.run(50));
    renderBroken(fixture);
    expect(await screen.findByText('Your 2 unsent edits are only in this tab: download a copy first.')).toBeDefined();
    release();
    await act(() => fixture.clock.run(60_000));
    expect(person.pages.openValues()).toHaveLength(1);
    cleanup();
    await fixture.clock.run(60_000);
    expect(person.pages.openValues()).toEqual([]);
  });

  test('leaves the sidebar, and the next screen works', async () => {
    const { router } = await openApp('/w/northquay');
    await screen.findByRole('heading', { level: 1, name: 'Northquay' });
    breakOnce('title');
    await act(() => router.navigate('/w/northquay/members'));
    expect(await screen.findByRole('heading', { name: 'Something went wrong' })).toBeDefined();
    expect(screen.getByRole('navigation', { name: 'Workspace' })).toBeDefined();
    await act(() => router.navigate('/w/northquay'));
    expect(await screen.findByRole('heading', { level: 1, name: 'Northquay' })).toBeDefined();
  });

  test('leaves its page open, and shows it again when asked', async () => {
    const { fixture } = await openApp(`/w/northquay/p/${documentId(2)}`);
    await screen.findByRole('textbox', { name: 'Page title' });
    const session = fixture.sessions.get(documentId(2));
    const close = vi.spyOn(session!, 'close');
    breakOnce('title');
    await act(async () => personOf(fixture).pages.openValues()[0]?.setTitle('Renamed'));
    expect(await screen.findByRole('heading', { name: 'Something went wrong' })).toBeDefined();
    await act(() => fixture.clock.run(60_000));
    expect(close).not.toHaveBeenCalled();
    await act(async () => void fireEvent.click(screen.getByRole('button', { name: 'Try again' })));
    expect(await screen.findByRole('textbox', { name: 'Page title' })).toBeDefined();
    expect(fixture.sessions.get(documentId(2))).toBe(session);
  });
});

function Broken(): never {
  throw new Error('broken on purpose');
}

/** The next effect that sets the title of the tab throws, whichever screen it belongs to. */
function breakOnce(property: 'title'): void {
  Object.defineProperty(document, property, {
    configurable: true,
    set() {
      Reflect.deleteProperty(document, property);
      throw new Error('broken on purpose');
    },
  });
}

test.each([
  [{ to: '/w/northquay' }, '/w/northquay'],
  [{ to: '//evil.example' }, null],
  [{ to: '/\\evil.example' }, null],
  [{ to: 'https://evil.example' }, null],
  [{ to: 7 }, null],
  [null, null],
])('the return address in the history state %j is %j', (state, to) => expect(parseReturnAddress(state)).toBe(to));
