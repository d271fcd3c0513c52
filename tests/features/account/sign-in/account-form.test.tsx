import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { AccountForm } from '../../../../src/features/account/sign-in/account-form.tsx';
import { SIGN_IN_TEXTS } from '../../../../src/protocol/errors.ts';
import { AppContext } from '../../../../src/state/hooks.ts';
import { appFixture } from '../../../support/app/app-fixture.ts';

afterEach(cleanup);

function form(kind: 'sign-in' | 'sign-up') {
  const fixture = appFixture({ signIn: { status: 'signedOut' } });
  render(
    <AppContext value={fixture.app}>
      <AccountForm kind={kind} title="Hello" footer={null} />
    </AppContext>,
  );
  const fill = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } });
  const press = (name: string) => act(async () => void fireEvent.click(screen.getByRole('button', { name })));
  const signIn = () => fixture.app.store.get(fixture.app.signInAtom);
  return { fill, press, signIn };
}

test('signs in with e-mail and password', async () => {
  const { fill, press, signIn } = form('sign-in');
  fill('E-mail', 'alice@weft.example');
  fill('Password', 'correct horse');
  await press('Sign in');
  expect(signIn().status).toBe('signedIn');
});

test('a wrong password is said beside the field, in the catalogue’s words', async () => {
  const { fill, press, signIn } = form('sign-in');
  fill('E-mail', 'alice@weft.example');
  fill('Password', 'wrong');
  await press('Sign in');
  expect(signIn().status).toBe('signedOut');
  expect(screen.getByRole('alert').textContent).toBe(SIGN_IN_TEXTS.credentials);
  expect(screen.getByLabelText('Password').getAttribute('aria-invalid')).toBe('true');
});

test('makes an account; the name may stay empty', async () => {
  const { fill, press, signIn } = form('sign-up');
  fill('E-mail', 'alice@weft.example');
  fill('Password', 'correct horse');
  expect(screen.getByLabelText('Name')).toHaveProperty('required', false);
  await press('Create account');
  expect(signIn().status).toBe('signedIn');
});

test('lets guests in where the project does', async () => {
  const { press, signIn } = form('sign-in');
  await press('Continue as guest');
  expect(signIn()).toMatchObject({ status: 'signedIn', identity: { isGuest: true } });
});
