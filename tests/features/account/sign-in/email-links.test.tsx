// Signing in by mail and choosing a new password, as people meet it: words, fields, focus, problems.
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { AccountForm } from '../../../../src/features/account/sign-in/account-form.tsx';
import { NewPasswordForm } from '../../../../src/features/account/sign-in/new-password-form.tsx';
import { ResetForm } from '../../../../src/features/account/sign-in/reset-form.tsx';
import { err, ok } from '../../../../src/lib/result.ts';
import { SIGN_IN_TEXTS } from '../../../../src/protocol/errors.ts';
import { AppContext } from '../../../../src/state/hooks.ts';
import { appFixture } from '../../../support/app/app-fixture.ts';

afterEach(cleanup);

function stage(form: (onEntered: () => void) => React.ReactNode) {
  const fixture = appFixture({ signIn: { status: 'signedOut' } });
  let isEntered = false;
  render(<AppContext value={fixture.app}>{form(() => (isEntered = true))}</AppContext>);
  return {
    ...fixture,
    fill: (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } }),
    press: (name: string) => act(async () => void fireEvent.click(screen.getByRole('button', { name }))),
    signIn: () => fixture.app.store.get(fixture.app.signInAtom),
    isEntered: () => isEntered,
  };
}

const signInForm = () =>
  stage(() => (
    <AccountForm
      kind="sign-in"
      title="Hello"
      nextAddress="/w/one"
      forgotLink={(email) => <a href={`/reset#${email}`}>Forgotten?</a>}
      footer={null}
    />
  ));
const resetForm = (linkProblem: 'deadLink' | null = null) =>
  stage((onEntered) => <ResetForm email="" linkProblem={linkProblem} onSignedIn={onEntered} footer={null} />);

const heading = () => screen.getByRole('heading', { level: 1 });

test('a link to sign in is asked for with the address alone, and leads where somebody wanted to go', async () => {
  const { fill, press, mails } = signInForm();
  fill('E-mail', ' alice@weft.example ');
  await press('Send me a sign-in link');
  expect(mails).toEqual([{ kind: 'sign-in', email: 'alice@weft.example', next: '/w/one' }]);
  expect(heading().textContent).toBe('Look into your mail');
  expect(document.activeElement).toBe(heading());
  expect(screen.getByText('alice@weft.example')).toBeTruthy();
});

test('without an address nothing is sent', async () => {
  const { press, mails } = signInForm();
  await press('Send me a sign-in link');
  expect(mails).toEqual([]);
  expect(screen.getByRole('button', { name: 'Sign in' })).toBeTruthy();
});

test('a server that does not answer is said beside the address, which stays', async () => {
  const { fill, press, signInService } = signInForm();
  signInService.answer = err({ problem: 'unreachable', detail: '' });
  fill('E-mail', 'alice@weft.example');
  await press('Send me a sign-in link');
  expect(screen.getByRole('alert').textContent).toBe(SIGN_IN_TEXTS.unreachable);
  expect(screen.getByLabelText('E-mail')).toMatchObject({ value: 'alice@weft.example' });
  expect(screen.getByLabelText('E-mail').getAttribute('aria-invalid')).toBe('true');
  expect(screen.getByLabelText('Password').getAttribute('aria-invalid')).toBeNull();
});

test('the code of the mail signs in; a wrong one is said beside it', async () => {
  const { fill, press, signIn } = signInForm();
  fill('E-mail', 'alice@weft.example');
  await press('Send me a sign-in link');
  fill('Code from the mail', '111111');
  await press('Sign in');
  expect(screen.getByRole('alert').textContent).toBe(SIGN_IN_TEXTS.badCode);
  fill('Code from the mail', '123 456');
  await press('Sign in');
  expect(signIn().status).toBe('signedIn');
});

test('a second mail is told, and told too when it is too early for one', async () => {
  const { fill, press, mails, signInService } = signInForm();
  fill('E-mail', 'alice@weft.example');
  await press('Send me a sign-in link');
  await press('Send it again');
  expect(mails).toHaveLength(2);
  expect(screen.getByRole('status').textContent).toBe('Sent again. The newest mail counts.');
  signInService.answer = err({ problem: 'tooMany', detail: '' });
  await press('Send it again');
  expect(screen.getByRole('alert').textContent).toBe(SIGN_IN_TEXTS.tooMany);
  expect(screen.getByRole('status').textContent).toBe('');
});

test('another address can be given, with the form as it was', async () => {
  const { fill, press } = signInForm();
  fill('E-mail', 'adda@weft.example');
  await press('Send me a sign-in link');
  await press('Another address');
  expect(screen.getByLabelText('E-mail')).toMatchObject({ value: 'adda@weft.example' });
});

test('the way to a new password knows the address that was typed', () => {
  const { fill } = signInForm();
  fill('E-mail', 'alice@weft.example');
  expect(screen.getByRole('link', { name: 'Forgotten?' }).getAttribute('href')).toBe('/reset#alice@weft.example');
});

test('a new password is asked for by mail, and chosen with its code', async () => {
  const { fill, press, mails, isEntered } = resetForm();
  fill('E-mail', 'alice@weft.example');
  await press('Send me a link');
  expect(mails).toEqual([{ kind: 'reset', email: 'alice@weft.example', next: null }]);
  fill('Code from the mail', '123456');
  await press('Go on');
  expect(isEntered()).toBe(true);
});

test('a link that was too old says so, and another one can be had', () => {
  resetForm('deadLink');
  expect(screen.getByRole('alert').textContent).toBe(`${SIGN_IN_TEXTS.deadLink} Ask for a new one.`);
  expect(screen.getByRole('button', { name: 'Send me a link' })).toBeTruthy();
});

test('a new password is chosen, or refused beside its field', async () => {
  const { fill, press, signInService } = stage(() => <NewPasswordForm continueLink={<a href="/">On</a>} />);
  expect(document.activeElement).toBe(heading());
  signInService.answer = err({ problem: 'samePassword', detail: '' });
  fill('New password', 'correct horse');
  await press('Change password');
  expect(screen.getByRole('alert').textContent).toBe(SIGN_IN_TEXTS.samePassword);
  signInService.answer = ok(undefined);
  await press('Change password');
  expect(heading().textContent).toBe('Your password is changed');
  expect(document.activeElement).toBe(heading());
});
