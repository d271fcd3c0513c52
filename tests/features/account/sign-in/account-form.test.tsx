import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { AccountForm } from '../../../../src/features/account/sign-in/account-form.tsx';
import { AppContext } from '../../../../src/state/hooks.ts';
import { SIGN_IN_TEXTS } from '../../../../src/texts/sign-in-texts.ts';
import { appFixture } from '../../../support/app/app-fixture.ts';

afterEach(cleanup);

function renderForm(kind: 'sign-in' | 'sign-up') {
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

test('signs in with email and password', async () => {
  const { fill, press, signIn } = renderForm('sign-in');
  fill('Email', 'alice@weft.example');
  fill('Password', 'correct horse');
  await press('Sign in');
  expect(signIn().status).toBe('signedIn');
});

test('the first field has the focus', () => {
  renderForm('sign-up');
  expect(document.activeElement).toBe(screen.getByLabelText('Email'));
});

test('a wrong password shows the error of the catalogue at the field', async () => {
  const { fill, press, signIn } = renderForm('sign-in');
  fill('Email', 'alice@weft.example');
  fill('Password', 'wrong');
  await press('Sign in');
  expect(signIn().status).toBe('signedOut');
  expect(screen.getByRole('alert').textContent).toBe(SIGN_IN_TEXTS.credentials);
  expect(screen.getByLabelText('Password').getAttribute('aria-invalid')).toBe('true');
});

test('creates an account; the name is optional', async () => {
  const { fill, press, signIn } = renderForm('sign-up');
  fill('Email', 'alice@weft.example');
  fill('Password', 'correct horse');
  expect(screen.getByLabelText('Name')).toHaveProperty('required', false);
  await press('Create account');
  expect(signIn().status).toBe('signedIn');
});

test('signs in guests when the project allows them', async () => {
  const { press, signIn } = renderForm('sign-in');
  await press('Continue as guest');
  expect(signIn()).toMatchObject({ status: 'signedIn', identity: { isGuest: true } });
});
