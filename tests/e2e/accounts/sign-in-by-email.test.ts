// Signing in by an emailed link or code, and resetting a password. The emails are on the server's mail page.
import { expect, test } from 'vitest';
import { SIGN_IN_TEXTS } from '../../../src/texts/sign-in-texts.ts';
import { NO_SERVICE_WORKER } from '../../support/browser/browser.ts';
import { useE2eFixture } from '../../support/browser/e2e-fixture.ts';
import { Person } from '../../support/browser/person.ts';
import { PASSWORD } from '../../support/server/account.ts';
import { serviceClient } from '../../support/server/log-replay.ts';

const fixture = useE2eFixture();

/** Opens the sign-in page for a person who has an account but no workspace. */
async function personWithAccount(name: string) {
  const email = `${name.toLowerCase()}@weft.example`;
  const made = await serviceClient(fixture.server).auth.admin.createUser({
    email,
    password: PASSWORD,
    email_confirm: true,
  });
  if (made.error !== null) throw made.error;
  const person = await Person.at(await fixture.browser.newContext(NO_SERVICE_WORKER));
  await person.page.goto(`${fixture.server.url}/sign-in`);
  return { person, page: person.page, email };
}

const heading = (person: Person, name: string) => person.page.getByRole('heading', { name });

test('an emailed link signs in and opens the address that needed a sign-in', async () => {
  const { person, page, email } = await personWithAccount('Alice');
  await page.goto(`${fixture.server.url}/welcome`);
  await page.waitForURL(/\/sign-in/);
  await person.field('Email').fill(email);
  await person.button('Send me a sign-in link').click();
  await heading(person, 'Check your email').waitFor();

  const [mailPage] = await Promise.all([
    page.context().waitForEvent('page'),
    page.getByRole('link', { name: 'mail page' }).click(),
  ]);
  await mailPage.getByRole('article').getByRole('link').first().click();
  await mailPage.waitForURL(`${fixture.server.url}/welcome`);
  await mailPage.getByLabel('Workspace name', { exact: true }).waitFor();
  // The tab that requested the email is signed in too.
  await expect.poll(() => page.url()).toBe(`${fixture.server.url}/welcome`);
  await page.context().close();
});

test('a link opened in another browser says why it cannot sign in there', async () => {
  const { person, email } = await personWithAccount('Carol');
  await person.field('Email').fill(email);
  await person.button('Send me a sign-in link').click();
  await heading(person, 'Check your email').waitFor();
  const { link } = await emailTo(email);
  const otherBrowser = await Person.at(await fixture.browser.newContext(NO_SERVICE_WORKER));
  await otherBrowser.page.goto(link);
  await heading(otherBrowser, 'This link didn’t sign you in').waitFor();
  await expect.poll(() => otherBrowser.page.locator('main').innerText()).toContain(SIGN_IN_TEXTS.otherBrowser);
  // The link works only once, even in the right browser.
  await person.page.goto(link);
  await person.page.getByText(SIGN_IN_TEXTS.deadLink).waitFor();
  await person.page.getByRole('link', { name: 'Sign in or ask for a new link' }).click();
  await person.button('Sign in').waitFor();
  await Promise.all([person, otherBrowser].map(({ page }) => page.context().close()));
});

test('the emailed code signs in where it was requested', async () => {
  const { person, page, email } = await personWithAccount('Dave');
  await person.field('Email').fill(email);
  await person.button('Send me a sign-in link').click();
  await heading(person, 'Check your email').waitFor();
  await person.button('Enter the code from the email').click();
  await person.field('Code from the email').fill((await emailTo(email)).code);
  await page.keyboard.press('Enter');
  await expect.poll(() => page.url()).toBe(`${fixture.server.url}/welcome`);
  await page.context().close();
});

test('a forgotten password is reset by keyboard alone', async () => {
  const { person, page, email } = await personWithAccount('Bob');
  await person.field('Email').fill(email);
  await page.getByRole('link', { name: 'Forgot password?' }).press('Enter');
  await page.waitForURL(/\/reset$/);
  await expect.poll(() => person.field('Email').inputValue()).toBe(email);
  await person.field('Email').press('Enter');
  await heading(person, 'Check your email').waitFor();
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Check your email');

  await page.goto((await emailTo(email)).link);
  await page.waitForURL(/\/reset/);
  await page.getByLabel('New password', { exact: true }).fill('quite another one');
  await page.keyboard.press('Enter');
  await heading(person, 'Password changed').waitFor();
  await page.getByRole('link', { name: 'Go to your pages' }).press('Enter');
  await page.waitForURL(/\/welcome/);

  const again = await Person.at(await fixture.browser.newContext(NO_SERVICE_WORKER));
  await again.page.goto(`${fixture.server.url}/sign-in`);
  await again.signIn(email);
  await again.page.getByText(SIGN_IN_TEXTS.credentials).waitFor();
  await again.page.getByLabel('Password', { exact: true }).fill('quite another one');
  await again.button('Sign in').click();
  await again.page.waitForURL(/\/welcome/);
  await Promise.all([person, again].map((one) => one.page.context().close()));
});

test('without the server the form says so and keeps its fields', async () => {
  const person = await Person.at(await fixture.browser.newContext(NO_SERVICE_WORKER));
  await person.page.goto(`${fixture.server.url}/sign-in`);
  await person.field('Email').fill('alice@weft.example');
  await person.page.context().setOffline(true);
  await person.button('Send me a sign-in link').click();
  await person.page.getByText(SIGN_IN_TEXTS.unreachable).waitFor();
  expect(await person.field('Email').inputValue()).toBe('alice@weft.example');
  await person.page.context().close();
});

async function emailTo(email: string): Promise<{ readonly link: string; readonly code: string }> {
  const response = await fetch(`${fixture.server.url}/__mail.json`);
  const emails: unknown = await response.json();
  const mail = Array.isArray(emails) ? emails.find((one: unknown) => isMailTo(one, email)) : undefined;
  if (!isMailTo(mail, email)) throw new Error(`no email to ${email}`);
  return {
    link: /https?:\/\/\S+/.exec(mail.text)?.[0] ?? '',
    code: /code: (\d{6})/.exec(mail.text)?.[1] ?? '',
  };
}

function isMailTo(one: unknown, email: string): one is { readonly text: string } {
  return typeof one === 'object' && one !== null && 'to' in one && one.to === email && 'text' in one;
}
