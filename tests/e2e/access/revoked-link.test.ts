// Revoking a watch link ends it by a message: at once and completely, even for a watcher whose requests all fail.
import { expect, test } from 'vitest';
import { useE2eFixture } from '../../support/browser/e2e-fixture.ts';
import { type Person, Watcher } from '../../support/browser/person.ts';
import { storedText } from '../../support/browser/stored-text.ts';

const fixture = useE2eFixture();

test('a revoked watch link stops within 2 s: no further message, and no text in the page, IndexedDB or caches', async () => {
  const alice = await fixture.author('Alice', 'North Quay', 'the-harbour-opens-at-six ');
  const watchLink = await alice.createLink('watch');
  const editLink = await alice.createLink('edit');
  const bob = await fixture.guest('Bob', editLink);
  await bob.putCaretAtEnd();

  const watcher = new Watcher(await (await fixture.browser.newContext()).newPage());
  const frames: { at: number; size: number; text: string }[] = [];
  watcher.page.on('websocket', (socket) =>
    socket.on('framereceived', ({ payload }) => {
      const text = payload.toString();
      // The server answers heartbeats and leaving while the socket is open; these answers have nothing of the page.
      if (!/"phx_reply"|"phx_close"/.test(text)) frames.push({ at: Date.now(), size: payload.length, text });
    }),
  );
  await watcher.open(watchLink);
  await expect.poll(() => watcher.text()).toContain('the-harbour-opens-at-six');
  await watcher.page.route('**/rest/v1/**', (route) => route.abort());

  // While the link is valid, text arrives. So the checks below can find it.
  const stopTyping = new AbortController();
  const typing = keepTyping(bob, stopTyping.signal);
  await expect.poll(() => frames.length, { timeout: 10_000 }).toBeGreaterThan(2);
  await expect.poll(() => watcher.text(), { timeout: 10_000 }).toContain('bob-writes-on');

  const revokedAt = await revokeWatchLink(alice);
  await expect
    .poll(() => watcher.page.locator('body').innerText(), { timeout: 2_000, interval: 50 })
    .not.toMatch(/harbour|bob-writes/);
  expect(Date.now() - revokedAt).toBeLessThanOrEqual(2_000);
  await expect.poll(() => watcher.page.locator('body').innerText()).toContain('This link no longer works.');

  // Bob keeps typing; the watcher's socket stays silent.
  const ended = Date.now();
  const before = await bob.bodyText();
  await watcher.page.waitForTimeout(4_000);
  expect((await bob.bodyText()).length).toBeGreaterThan(before.length);
  expect(frames.filter(({ at }) => at > ended)).toEqual([]);
  stopTyping.abort();
  await typing;

  expect(await storedText(watcher.page)).not.toMatch(/harbour|bob-writes/);
  // The same search finds text on a device that may store it, so the search works. What is older is packed in a snapshot by now.
  await bob.insert('the-harbour-closes-at-ten');
  await expect.poll(() => storedText(bob.page)).toContain('the-harbour-closes-at-ten');

  // Opening the link again shows nothing either.
  await watcher.page.unroute('**/rest/v1/**');
  await watcher.page.reload();
  await expect.poll(() => watcher.page.locator('body').innerText()).toContain('This link no longer works.');
  expect(await watcher.page.locator('body').innerText()).not.toMatch(/harbour|bob-writes/);
  await Promise.all([alice, bob, watcher].map(({ page }) => page.context().close()));
});

async function keepTyping(person: Person, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await person.insert('bob-writes-on ');
    await person.page.waitForTimeout(300);
  }
}

/** Resolves with the time when the button was pressed. */
async function revokeWatchLink(person: Person): Promise<number> {
  await person.button('Share').click();
  const revoke = person.button('Revoke the link to watch');
  await revoke.waitFor();
  const at = Date.now();
  await revoke.click();
  return at;
}
