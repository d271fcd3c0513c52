// Signing in by an emailed link or code, and choosing a new password: texts, fields, focus and errors.
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { AccountForm } from '../../../../src/features/account/sign-in/account-form.tsx';
import { NewPasswordForm } from '../../../../src/features/account/sign-in/new-password-form.tsx';
import { ResetForm } from '../../../../src/features/account/sign-in/reset-form.tsx';
import { err, ok } from '../../../../src/lib/result.ts';
import { AppContext } from '../../../../src/state/hooks.ts';
import { SIGN_IN_TEXTS } from '../../../../src/texts/sign-in-texts.ts';
import { appFixture } from '../../../support/app/app-fixture.ts';

afterEach(cleanup);

function renderForm(form: (onSignedIn: () => void) => React.ReactNode) {
  const fixture = appFixture({ signIn: { status: 'signedOut' } });
  let isSignedIn = false;
  render(<AppContext value={fixture.app}>{form(() => (isSignedIn = true))}</AppContext>);
  return {
    ...fixture,
    fill: (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } }),
    press: (name: string) => act(async () => void fireEvent.click(screen.getByRole('button', { name }))),
    signIn: () => fixture.app.store.get(fixture.app.signInAtom),
    isSignedIn: () => isSignedIn,
  };
}

const signInForm = () =>
  renderForm(() => (
    <AccountForm
      kind="sign-in"
      title="Hello"
      nextAddress="/w/one"
      forgotLink={(email) => <a href={`/reset#${email}`}>Forgot password?</a>}
      footer={null}
    />
  ));
const resetForm = (linkProblem: 'deadLink' | null = null) =>
  renderForm((onSignedIn) => <ResetForm email="" linkProblem={linkProblem} onSignedIn={onSignedIn} footer={null} />);

const heading = () => screen.getByRole('heading', { level: 1 });

test('a sign-in link needs the address only, and leads to the page that was asked for', async () => {
  const { fill, press, sentEmails } = signInForm();
  fill('Email', ' alice@weft.example ');
  await press('Send me a sign-in link');
  expect(sentEmails).toEqual([{ kind: 'sign-in', email: 'alice@weft.example', next: '/w/one' }]);
  expect(heading().textContent).toBe('Check your email');
  expect(document.activeElement).toBe(heading());
  expect(screen.getByText('alice@weft.example')).toBeTruthy();
});

test('without an address no email is sent', async () => {
  const { press, sentEmails } = signInForm();
  await press('Send me a sign-in link');
  expect(sentEmails).toEqual([]);
  expect(screen.getByRole('button', { name: 'Sign in' })).toBeTruthy();
});

test('if the server does not answer, the email field shows the error and keeps the address', async () => {
  const { fill, press, signInService } = signInForm();
  signInService.answer = err({ problem: 'unreachable', detail: '' });
  fill('Email', 'alice@weft.example');
  await press('Send me a sign-in link');
  expect(screen.getByRole('alert').textContent).toBe(SIGN_IN_TEXTS.unreachable);
  expect(screen.getByLabelText('Email')).toMatchObject({ value: 'alice@weft.example' });
  expect(screen.getByLabelText('Email').getAttribute('aria-invalid')).toBe('true');
  expect(screen.getByLabelText('Password').getAttribute('aria-invalid')).toBeNull();
});

test('the code from the email signs in; a wrong code shows an error', async () => {
  const { fill, press, signIn } = signInForm();
  fill('Email', 'alice@weft.example');
  await press('Send me a sign-in link');
  // An email of a hosted project may hold a link only.
  expect(screen.queryByLabelText('Code from the email')).toBeNull();
  await press('Enter the code from the email');
  expect(document.activeElement).toBe(screen.getByLabelText('Code from the email'));
  fill('Code from the email', '111111');
  await press('Sign in');
  expect(screen.getByRole('alert').textContent).toBe(SIGN_IN_TEXTS.badCode);
  fill('Code from the email', '123 456');
  await press('Sign in');
  expect(signIn().status).toBe('signedIn');
});

test('“Send it again” confirms the second email, and shows an error when it is too early', async () => {
  const { fill, press, sentEmails, signInService } = signInForm();
  fill('Email', 'alice@weft.example');
  await press('Send me a sign-in link');
  await press('Send it again');
  expect(sentEmails).toHaveLength(2);
  expect(screen.getByRole('status').textContent).toBe('Sent again. Use the newest email.');
  signInService.answer = err({ problem: 'tooMany', detail: '' });
  await press('Send it again');
  expect(screen.getByRole('alert').textContent).toBe(SIGN_IN_TEXTS.tooMany);
  expect(screen.getByRole('status').textContent).toBe('');
});

test('“Use a different email” returns to the form with the address that was typed', async () => {
  const { fill, press } = signInForm();
  fill('Email', 'adda@weft.example');
  await press('Send me a sign-in link');
  await press('Use a different email');
  expect(screen.getByLabelText('Email')).toMatchObject({ value: 'adda@weft.example' });
});

test('“Forgot password?” passes on the address that was typed', () => {
  const { fill } = signInForm();
  fill('Email', 'alice@weft.example');
  expect(screen.getByRole('link', { name: 'Forgot password?' }).getAttribute('href')).toBe('/reset#alice@weft.example');
});

test('a password reset sends an email, and its code signs in', async () => {
  const { fill, press, sentEmails, isSignedIn } = resetForm();
  fill('Email', 'alice@weft.example');
  await press('Send me a link');
  expect(sentEmails).toEqual([{ kind: 'reset', email: 'alice@weft.example', next: null }]);
  await press('Enter the code from the email');
  fill('Code from the email', '123456');
  await press('Continue');
  expect(isSignedIn()).toBe(true);
});

test('an expired link shows an error and offers a new one', () => {
  resetForm('deadLink');
  expect(screen.getByRole('alert').textContent).toBe(`${SIGN_IN_TEXTS.deadLink} Ask for a new one.`);
  expect(screen.getByRole('button', { name: 'Send me a link' })).toBeTruthy();
});

test('a refused new password shows an error at its field, an accepted one a confirmation', async () => {
  const { fill, press, signInService } = renderForm(() => <NewPasswordForm continueLink={<a href="/">On</a>} />);
  expect(document.activeElement).toBe(heading());
  signInService.answer = err({ problem: 'samePassword', detail: '' });
  fill('New password', 'correct horse');
  await press('Change password');
  expect(screen.getByRole('alert').textContent).toBe(SIGN_IN_TEXTS.samePassword);
  signInService.answer = ok(undefined);
  await press('Change password');
  expect(heading().textContent).toBe('Password changed');
  expect(document.activeElement).toBe(heading());
});
