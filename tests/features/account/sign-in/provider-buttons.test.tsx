// Sign-in with other services: a button for each that is on, and the message if one refuses.
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import type { ReactNode } from 'react';
import { MemoryRouter } from 'react-router';
import { afterEach, expect, test, vi } from 'vitest';
import { CallbackScreen } from '../../../../src/features/account/callback-screen.tsx';
import { BecomeAccount } from '../../../../src/features/account/guest/become-account.tsx';
import { AccountForm } from '../../../../src/features/account/sign-in/account-form.tsx';
import { err } from '../../../../src/lib/result.ts';
import { AppContext } from '../../../../src/state/hooks.ts';
import { type AppFixture, appFixture, userId } from '../../../support/app/app-fixture.ts';

afterEach(cleanup);

const press = (name: string) => act(async () => void fireEvent.click(screen.getByRole('button', { name })));
const show = (fixture: AppFixture, children: ReactNode, at = '/') =>
  render(
    <MemoryRouter initialEntries={[at]}>
      <AppContext value={fixture.app}>{children}</AppContext>
    </MemoryRouter>,
  );
const guest = { id: userId(3), email: null, isGuest: true };

test.each(['sign-in', 'sign-up'] as const)('%s offers the services that are on', async (kind) => {
  const fixture = appFixture({ signIn: { status: 'signedOut' } });
  fixture.services.on = ['google', 'linkedin_oidc'];
  show(fixture, <AccountForm kind={kind} title="Hello" footer={null} returnTo="/s#secret" />);
  await screen.findByRole('button', { name: 'Continue with Google' });
  await press('Continue with LinkedIn');
  expect(fixture.services.left).toEqual([{ by: 'signIn', provider: 'linkedin_oidc', next: '/s#secret' }]);
  // The browser is leaving: a second press would begin another sign-in.
  expect(screen.getByRole('button', { name: 'Continue with Google' })).toHaveProperty('disabled', true);
});

test('someone who comes back from the service with the browser’s Back can choose again', async () => {
  const fixture = appFixture({ signIn: { status: 'signedOut' } });
  fixture.services.on = ['google'];
  show(fixture, <AccountForm kind="sign-in" title="Hello" footer={null} />);
  await screen.findByRole('button', { name: 'Continue with Google' });
  await press('Continue with Google');
  expect(screen.getByRole('button', { name: 'Continue with Google' })).toHaveProperty('disabled', true);
  act(() => void dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true })));
  expect(screen.getByRole('button', { name: 'Continue with Google' })).toHaveProperty('disabled', false);
});

test('a project without other services has no such button', async () => {
  const fixture = appFixture({ signIn: { status: 'signedOut' } });
  const asked = vi.spyOn(fixture.app, 'providerSignIn');
  show(fixture, <AccountForm kind="sign-in" title="Hello" footer={null} />);
  await vi.waitFor(() => expect(asked).toHaveBeenCalled());
  await act(async () => undefined);
  expect(screen.queryByRole('button', { name: /^Continue with/ })).toBeNull();
});

test('a guest becomes an account with a service, or reads why not', async () => {
  const fixture = appFixture({ signIn: { status: 'signedIn', identity: guest } });
  fixture.services.on = ['github'];
  fixture.services.answer = err('linkingOff');
  show(fixture, <BecomeAccount onDone={() => undefined} />);
  await screen.findByRole('button', { name: 'Continue with GitHub' });
  await press('Continue with GitHub');
  expect(screen.getByRole('alert').textContent).toContain('Use an email address and a password.');
  fixture.services.answer = { ok: true, value: undefined };
  await press('Continue with GitHub');
  expect(fixture.services.left).toEqual([{ by: 'link', provider: 'github', next: '/account' }]);
});

test.each([
  ['error=access_denied&error_description=no', 'The sign-in was cancelled, or the other service refused it.'],
  ['error=server_error&error_code=identity_already_exists', 'Another account already signs in this way.'],
  ['error=server_error&error_code=nobody_knows', 'Something went wrong.'],
])('a service that led back with %s says why, to a guest too', async (query, text) => {
  const fixture = appFixture({ signIn: { status: 'signedIn', identity: guest } });
  fixture.signInService.answer = err({ problem: 'deadLink', detail: '' });
  show(fixture, <CallbackScreen />, `/auth/callback?via=google&${query}`);
  await screen.findByRole('heading', { name: 'Google didn’t sign you in' });
  expect(document.body.textContent).toContain(text);
  expect(screen.getByRole('link', { name: 'Continue' })).toBeDefined();
});
