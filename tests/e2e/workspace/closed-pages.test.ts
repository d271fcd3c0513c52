// Pages that someone may not open, or no longer: requests and their answers, access that is taken away while someone types,
// and a page that is moved to the trash while someone has it open. No one reloads, except where a test says so.
import type { SupabaseClient } from '@supabase/supabase-js';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { useE2eFixture } from '../../support/browser/e2e-fixture.ts';
import type { Person } from '../../support/browser/person.ts';

const fixture = useE2eFixture();

/** Alice with a workspace and a page that is open, and a client that calls the API as her. */
async function aliceWithPage(): Promise<{ alice: Person; client: SupabaseClient }> {
  const alice = await fixture.newcomer('Alice');
  await alice.createWorkspace('Northquay');
  await alice.newPage();
  await alice.field('Page title').click();
  await alice.type('Ferry table');
  await alice.waitForReceipt('saved');
  return { alice, client: alice.account.client };
}

/** Bob, a member of Alice's workspace, with her page open. */
async function bobOnPageOf(alice: Person): Promise<Person> {
  const link = await alice.createInviteLink();
  const bob = await fixture.newcomer('Bob');
  await bob.join(link);
  await bob.page.getByRole('treegrid', { name: 'Pages' }).getByRole('link', { name: 'Ferry table' }).click();
  await bob.waitUntilEditable();
  return bob;
}

async function trash({ page }: Person): Promise<void> {
  const row = page.getByRole('treegrid', { name: 'Pages' }).getByRole('row', { name: /^Ferry table/ });
  await row.hover();
  await row.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Move to trash' }).click();
}

const heading = ({ page }: Person, name: string | RegExp) => page.getByRole('heading', { level: 1, name });
const banner = ({ page }: Person) => page.locator('.banner');

test('a request is told and answered in the inbox: the page opens at once, or says that it was denied', async () => {
  const { alice } = await aliceWithPage();
  const [bob, carol] = [await fixture.newcomer('Bob'), await fixture.newcomer('Carol')];
  for (const person of [bob, carol]) {
    await person.page.goto(alice.page.url());
    await heading(person, 'You can’t open this page.').waitFor();
    await person.field('Message').fill('I do the start list.');
    await person.chooseOption('Access', 'Can edit');
    await person.button('Request access').click();
    await heading(person, 'Request sent').waitFor();
  }
  const button = alice.button('Inbox');
  await expect.poll(() => button.getAttribute('aria-describedby'), { timeout: 15_000 }).not.toBe(null);
  await button.click();
  const inbox = alice.page.getByRole('dialog', { name: 'Inbox' });
  const row = (text: string) => inbox.getByRole('article').filter({ hasText: text });
  await row('Bob wants to edit').getByText('I do the start list.').waitFor();
  // For fingers, the tick is in the line of the time.
  const cdp = await alice.page.context().newCDPSession(alice.page);
  await cdp.send('Emulation.setTouchEmulationEnabled', { enabled: true });
  const [time, tick] = await Promise.all([
    row('Bob wants to edit').locator('time').boundingBox(),
    row('Bob wants to edit').getByRole('button', { name: 'Mark as read' }).boundingBox(),
  ]);
  expect(tick && time && [tick.y < time.y + time.height, tick.x >= time.x + time.width - 6]).toEqual([true, true]);
  await cdp.send('Emulation.setTouchEmulationEnabled', { enabled: false });
  // No other row of the sidebar looks open.
  const marked = await alice.page
    .locator('.side .row[data-here]')
    .evaluateAll((rows) => rows.filter((one) => getComputedStyle(one).backgroundColor !== 'rgba(0, 0, 0, 0)'));
  expect(marked.length).toBe(1);
  await row('Bob wants to edit').getByRole('button', { name: 'Allow' }).click();
  await row('Bob wants to edit').getByText('Allowed.').waitFor();
  await row('Carol wants to edit').getByRole('button', { name: 'Deny' }).click();
  await row('Carol wants to edit').getByText('Denied.').waitFor();
  await expect.poll(() => button.getAttribute('aria-describedby')).toBe(null);

  await bob.waitUntilEditable();
  expect(await bob.field('Page title').inputValue()).toBe('Ferry table');
  // The page is all that Bob sees of the workspace: in the trash, it is no less his.
  await alice.page.keyboard.press('Escape');
  await trash(alice);
  await banner(bob).getByText('Alice moved this page to the trash.').waitFor();
  await banner(bob).getByRole('button', { name: 'Restore' }).click();
  await bob.waitUntilEditable();
  // Carol shares nothing with Alice, so she reads no name.
  await heading(carol, 'Someone denied your request.').waitFor();
});

test('who loses access while typing reads who took it, on the page, at home and after a reload', async () => {
  const { alice, client } = await aliceWithPage();
  const bob = await bobOnPageOf(alice);
  const document = alice.documentId;
  const { data: profiles } = await client.from('profiles').select('id, display_name');
  const person = profiles?.find((one) => one.display_name === 'Bob')?.id as unknown;
  const call = async (name: string, args: object) => expect((await client.rpc(name, args)).error).toBeNull();
  await call('set_document_member', { document, person, role: 'editor' });
  await call('set_document_access', { document, access: 'restricted' });
  await bob.waitUntilEditable();
  await bob.page.route('**/rest/v1/rpc/append_update*', (route) => route.abort());
  await bob.putCaretAtEnd();
  await bob.insert('Slack water at noon');
  await bob.waitForReceipt('device');
  await call('set_document_member', { document, person, role: null });
  await banner(bob).getByText('Alice removed your access. 1 edit wasn’t saved.').waitFor();
  expect(await bob.bodyText()).toBe('Slack water at noon');
  await banner(bob).getByRole('button', { name: 'Download a copy' }).waitFor();
  expect(await bob.page.getByRole('button', { name: 'Share' }).count()).toBe(0);

  await bob.page.getByRole('link', { name: 'Home' }).click();
  await banner(bob).getByText('Alice removed your access. 1 edit wasn’t saved.').waitFor();
  await banner(bob).getByRole('link', { name: 'Show page' }).click();
  await bob.page.reload();
  await heading(bob, 'Alice removed your access.').waitFor();
  await bob.page.getByText('1 edit wasn’t saved.').waitFor();
  await bob.page.unroute('**/rest/v1/rpc/append_update*');
  // The edit waits on this device, and goes out when access is back.
  await call('set_document_member', { document, person, role: 'editor' });
  await bob.waitUntilEditable();
  expect(await bob.bodyText()).toBe('Slack water at noon');

  // A page that shows an unsaved edit stays on the screen, and shows the answer to a request.
  await bob.page.route('**/rest/v1/rpc/append_update*', (route) => route.abort());
  await bob.putCaretAtEnd();
  await bob.insert(', low at six');
  await bob.waitForReceipt('device');
  await call('set_document_member', { document, person, role: null });
  await banner(bob).getByRole('button', { name: 'Request access' }).click();
  await bob.page.getByText('Request sent.').waitFor();
  const { data: requests } = await client.rpc('list_requests', { document });
  const [request] = v.parse(v.array(v.object({ id: v.string() })), requests);
  await call('answer_request', { request: request?.id, role: null });
  await banner(bob).getByText('Alice removed your access. 1 edit wasn’t saved. Your request was denied.').waitFor();
});

test('a page that is trashed while it is open says by whom, keeps unsent edits, and is restored there', async () => {
  const { alice } = await aliceWithPage();
  const bob = await bobOnPageOf(alice);
  await bob.page.route('**/rest/v1/rpc/append_update*', (route) => route.abort());
  await bob.putCaretAtEnd();
  await bob.insert('Slack water at noon');
  await bob.waitForReceipt('device');
  await trash(alice);
  await banner(bob).getByText('Alice moved this page to the trash. 1 edit is sent when it’s restored.').waitFor();
  await bob.page.locator('[aria-label="Page body"][contenteditable="false"]').waitFor();
  await bob.page.unroute('**/rest/v1/rpc/append_update*');
  await banner(bob).getByRole('button', { name: 'Restore' }).click();
  await bob.waitUntilEditable();
  await banner(bob).waitFor({ state: 'detached' });
  await alice.page.getByRole('treegrid', { name: 'Pages' }).getByRole('link', { name: 'Ferry table' }).click();
  await alice.waitUntilEditable();
  await expect.poll(() => alice.bodyText()).toBe('Slack water at noon');
});
