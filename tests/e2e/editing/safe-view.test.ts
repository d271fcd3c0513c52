// The safe view of a page: every block as plain text, and deleting what keeps the page from opening.
import { randomUUID } from 'node:crypto';
import type { SupabaseClient } from '@supabase/supabase-js';
import { expect, test } from 'vitest';
import { bodyOf } from 'weft-document/names.ts';
import * as Y from 'yjs';
import { SCHEMA_VERSION } from '../../../src/protocol/limits.ts';
import { useE2eFixture } from '../../support/browser/e2e-fixture.ts';
import { Person } from '../../support/browser/person.ts';
import { replayText, serviceClient } from '../../support/server/log-replay.ts';

const fixture = useE2eFixture();

/** A person with a page of one line, and their account's client for requests that no app makes. */
async function pageOf(name: string) {
  const person = await fixture.newcomer(name);
  await person.createWorkspace(`${name}’s`);
  await person.newPage();
  await person.putCaretAtEnd();
  await person.insert('good words');
  await person.waitForReceipt('saved');
  const { client } = person.account;
  return { person, client, document: person.documentId, address: person.page.url() };
}

/** Adds blocks behind the page's own in one row, as no editor does. */
async function addBlocks(client: SupabaseClient, document: string, blocks: readonly Y.XmlElement[]): Promise<void> {
  const doc = new Y.Doc();
  doc.clientID = 4711;
  bodyOf(doc).insert(0, Array.from(blocks));
  const update = Buffer.from(Y.encodeStateAsUpdate(doc)).toString('base64');
  const session = randomUUID();
  const started = await client.rpc('start_session', {
    document,
    session,
    client_id: 4711,
    schema_version: SCHEMA_VERSION,
  });
  const appended = await client.rpc('append_update', {
    document,
    session,
    n_from: 1,
    n_to: 1,
    update,
    dependencies: [],
    known_seq: 0,
    schema_version: SCHEMA_VERSION,
    live_peers: null,
  });
  expect([started.error, appended.error]).toEqual([null, null]);
}

const emptyBlocks = (count: number) => Array.from({ length: count }, () => new Y.XmlElement('block'));

const safeView = ({ page }: Person) => page.getByRole('region', { name: 'Repair this page' });
const status = ({ page }: Person) => page.locator('.safe-toolbar [role="status"]').textContent();

test('36,000 blocks in one row: the page opens as plain text, and its owner deletes them', async () => {
  const { person, client, document, address } = await pageOf('Ada');
  const watching = await fixture.watcher(await person.createLink('watch'));
  await addBlocks(client, document, emptyBlocks(36_000));
  // The page that is open shows it without a reload, and so does a watcher's.
  await safeView(person).getByText('This page is too long for the editor').waitFor();
  await watching.page.getByText('This page is too long to be drawn').waitFor();
  await person.page.goto(address);
  await safeView(person).getByText('36,001 blocks as plain text').waitFor();
  expect(await person.body.count()).toBe(0);
  expect(await person.button('Open in the editor').count()).toBe(0);

  await safeView(person).getByText('good words').waitFor();
  await person.page.getByLabel('Blocks', { exact: true }).fill('2');
  await person.button('Choose').click();
  await person.button('Delete 36,000 blocks').click();
  await expect.poll(() => status(person), { timeout: 60_000 }).toBe('Deleted 36,000 blocks.');
  await person.waitForReceipt('saved');
  await watching.page.locator('.page-body').getByText('good words').waitFor();
  await person.button('Open in the editor').click();
  await person.waitUntilEditable();
  expect(await person.bodyText()).toBe('good words');
  expect(await replayText(serviceClient(fixture.server), document)).toBe('good words');
});

test('one block is deleted offline, brought back, and deleted again; then the page opens as usual', async () => {
  const { person, client, document } = await pageOf('Bea');
  const bad = new Y.XmlElement('math');
  bad.insert(0, [new Y.XmlText('+x'.repeat(5_000))]);
  await addBlocks(client, document, [bad]);
  await person.choosePageItem('Page options', 'Repair this page…');
  await safeView(person).getByText('Formula').waitFor();
  expect(new URL(person.page.url()).searchParams.has('safe')).toBe(true);
  await person.page.context().setOffline(true);
  await person.button('Delete block 2').click();
  await expect.poll(() => status(person)).toBe('Deleted 1 block.');
  // The keyboard stays at its place.
  expect(await person.page.evaluate(() => window.document.activeElement?.getAttribute('aria-label'))).toBe(
    'Choose block 1',
  );
  await person.waitForReceipt('device');
  await person.button('Undo deletion').click();
  await safeView(person).getByText('Formula').waitFor();
  await person.page.context().setOffline(false);
  await person.waitForReceipt('saved');
  await person.page.getByLabel('Choose block 2').click();
  await person.button('Delete 1 block').click();
  await safeView(person).getByText('Formula').waitFor({ state: 'detached' });
  await person.waitForReceipt('saved');
  await person.button('Open in the editor').click();
  await person.waitUntilEditable();
  expect(new URL(person.page.url()).searchParams.has('safe')).toBe(false);
  expect(await replayText(serviceClient(fixture.server), document)).toBe('good words');
});

test('a page whose tab crashed while it was opened opens in the safe view the next time, once', async () => {
  const { person, document, address } = await pageOf('Cleo');
  const context = person.page.context();
  const tab = await context.newPage();
  // Holds the page up as soon as it marks its opening, as hostile content would, until the tab is ended.
  await tab.addInitScript(() => {
    const store = Storage.prototype.setItem;
    Storage.prototype.setItem = function (key: string, value: string) {
      store.call(this, key, value);
      if (!key.startsWith('weft-opening:') || sessionStorage.getItem('crashed') !== null) return;
      store.call(sessionStorage, 'crashed', 'yes');
      Object.assign(window, { isMarked: true });
    };
  });
  const session = await context.newCDPSession(tab);
  // The editor never says that it stands: its frames do not come.
  await tab.addInitScript(() => {
    Storage.prototype.removeItem = new Proxy(Storage.prototype.removeItem, {
      apply: (remove, storage, [key]: [string]) =>
        key.startsWith('weft-opening:') && !('mayFinish' in window) ? undefined : Reflect.apply(remove, storage, [key]),
    });
  });
  await tab.goto(address);
  await tab.waitForFunction(() => 'isMarked' in window);
  await Promise.race([tab.waitForEvent('crash'), session.send('Page.crash').catch(() => undefined)]);
  await tab.close();

  const next = new Person(await context.newPage());
  await next.page.addInitScript(() => {
    // Without waiting until a mark of another tab is old.
    const real = Date.now;
    Date.now = () => real() + 60_000;
  });
  await next.page.goto(address);
  await safeView(next).getByText('didn’t open properly last time').waitFor();
  await next.button('Open in the editor').click();
  await next.waitUntilEditable();
  expect(await next.bodyText()).toBe('good words');
  expect(await next.page.evaluate((key) => localStorage.getItem(key), `weft-opening:${document}`)).toBe(null);
});

test('a viewer reads the page in the safe view, and has nothing to delete with', async () => {
  const { person, client, document } = await pageOf('Dora');
  const reader = await fixture.newcomer('Eva');
  const { data } = await client.rpc('create_share_link', { document, role: 'commenter', expires_at: null });
  await reader.page.goto(`${fixture.server.url}/s#${String(Reflect.get(Object(data), 'secret'))}`);
  await reader.body.waitFor();
  await reader.page.goto(`${reader.page.url()}?safe`);
  await safeView(reader).getByText('good words').waitFor();
  expect(await reader.page.getByRole('checkbox').count()).toBe(0);
  expect(await reader.page.getByRole('button', { name: /^Delete/ }).count()).toBe(0);
  await person.page.close();
});
