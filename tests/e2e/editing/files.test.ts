// Pictures and files in a page: one pasted offline survives a reload and is uploaded later without a click, and others see it.
// The browser draws real pictures for these tests.
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { SERVICE_WORKER } from '../../support/browser/browser.ts';
import { useE2eFixture } from '../../support/browser/e2e-fixture.ts';
import { paste } from '../../support/browser/paste.ts';
import { Person } from '../../support/browser/person.ts';

const fixture = useE2eFixture();

test('a picture pasted offline survives a reload, then both others see it, and the watcher loses it with the link', async () => {
  const alice = await fixture.author('Alice', 'North Quay', 'The harbour from above', SERVICE_WORKER);
  const watchLink = await alice.createLink('watch');
  const bob = await fixture.guest('Bob', await alice.createLink('edit'));
  const watcher = await fixture.watcher(watchLink);
  await alice.waitForOfflineShell();

  await alice.page.context().setOffline(true);
  await alice.putCaretAtEnd();
  await pastePicture(alice.page, 1920, 400);
  const picture = alice.page.locator('.picture');
  await expect.poll(() => picture.getAttribute('data-upload')).toBe('waiting');
  await expect.poll(() => picture.locator('.picture-note').innerText()).toBe('Waiting on this device');
  await expect
    .poll(() => shownSize(alice.page), { message: 'the picture on the device that pasted it' })
    .not.toBeNull();
  await alice.page.reload();
  await expect.poll(() => picture.getAttribute('data-state'), { timeout: 15_000 }).toBe('here');
  await expect.poll(() => picture.getAttribute('data-upload')).toBe('waiting');
  await alice.waitForReceipt('device');
  expect(await bob.page.locator('.picture').count()).toBe(0);

  await alice.page.context().setOffline(false);
  for (const { page } of [alice, bob, watcher]) {
    await expect
      .poll(() => page.locator('.picture').first().getAttribute('data-state'), { timeout: 30_000 })
      .toBe('here');
    // The smaller version made for the page.
    await expect.poll(() => shownSize(page), { timeout: 10_000 }).toEqual({ width: 1536, height: 320 });
  }
  await expect.poll(() => picture.getAttribute('data-upload'), { timeout: 15_000 }).toBe('');
  await alice.waitForReceipt('saved');

  // A link watcher sees it through the link, and only while the link lives.
  await alice.button('Share').click();
  await alice.button('Revoke the link to watch').click();
  await expect.poll(() => watcher.page.locator('.picture').count()).toBe(0);
  await Promise.all([alice, bob, watcher].map(({ page }) => page.context().close()));
});

test('two tabs that wake together upload each file once; a copy on another page has its own access rights', async () => {
  const alice = await fixture.newcomer('Alice');
  const context = alice.page.context();
  await alice.createWorkspace('South Quay');
  await alice.newPage();
  const second = new Person(await context.newPage());
  await second.page.goto(alice.page.url());
  await second.waitUntilEditable();
  const uploads: string[] = [];
  context.on('request', (request) => {
    if (request.method() === 'POST' && request.url().includes('/storage/v1/object/attachments/')) {
      uploads.push(request.url());
    }
  });
  await alice.putCaretAtEnd();
  await dropFiles(alice.page, ['notes.txt', 'page.html', 'drawing.svg']);
  await expect.poll(() => alice.page.locator('.block-file').count()).toBe(3);
  await alice.waitForReceipt('saved');
  await expect.poll(() => second.page.locator('.block-file').count()).toBe(3);
  expect(uploads.length).toBe(3);
  expect(new Set(uploads).size).toBe(3);
  const [download] = await Promise.all([
    second.page.waitForEvent('download'),
    second.button('Download page.html').click(),
  ]);
  expect(download.suggestedFilename()).toBe('page.html');

  await alice.page.keyboard.press('Control+a');
  await alice.page.keyboard.press('Control+c');
  await alice.newPage();
  await alice.putCaretAtEnd();
  await alice.page.keyboard.press('Control+v');
  await expect.poll(() => alice.page.locator('.block-file').count()).toBe(3);
  await alice.waitForReceipt('saved');
  const [copied] = await Promise.all([alice.page.waitForEvent('download'), alice.button('Download notes.txt').click()]);
  expect(copied.suggestedFilename()).toBe('notes.txt');
  await context.close();
});

test('the view follows a picture that is pasted below the fold, and a double click opens it large', async () => {
  const alice = await fixture.newcomer('Alice');
  await alice.createWorkspace('West Quay');
  await alice.newPage();
  await alice.putCaretAtEnd();
  for (let line = 1; line <= 20; line++) {
    await alice.insert(`Line ${line} of the log`);
    await alice.page.keyboard.press('Enter');
  }
  await alice.goToEnd();
  await pastePicture(alice.page, 900, 700);
  const picture = alice.page.locator('.picture');
  await expect.poll(() => shownSize(alice.page), { timeout: 15_000 }).not.toBeNull();
  const box = async () => {
    const { y, height } = (await picture.boundingBox()) ?? { y: Number.NaN, height: 0 };
    return { top: y, bottom: y + height };
  };
  const { height } = alice.page.viewportSize() ?? { height: 0 };
  await expect.poll(async () => (await box()).bottom).toBeLessThanOrEqual(height);
  expect((await box()).top).toBeGreaterThanOrEqual(0);
  // What comes next is typed below it, on the screen.
  await alice.type('Seen');
  expect(await alice.bodyText()).toMatch(/Seen$/);
  await picture.locator('img').dblclick();
  await alice.page.getByRole('dialog', { name: 'image.png' }).waitFor();
  await alice.page.keyboard.press('Escape');
  await alice.page.getByRole('dialog').waitFor({ state: 'detached' });
});

test('what is pasted from Google Docs brings its pictures; one that Google does not give stays a link', async () => {
  const alice = await fixture.newcomer('Alice');
  await alice.createWorkspace('North Pier');
  await alice.newPage();
  await alice.putCaretAtEnd();
  const address = (name: string) => `https://lh7-rt.googleusercontent.com/docsz/${name}?key=k`;
  const asked: string[] = [];
  // Google itself is not asked; the browser's rules are: what the app may fetch and what may be read from elsewhere.
  await alice.page.route('https://*.googleusercontent.com/**', async (route) => {
    const request = route.request();
    asked.push(request.url());
    expect(await request.headerValue('referer')).toBeNull();
    expect(await request.headerValue('cookie')).toBeNull();
    const headers = { 'access-control-allow-origin': '*' };
    if (request.url().includes('gone')) return route.fulfill({ status: 403, headers });
    return route.fulfill({ headers, contentType: 'image/png', body: await alice.page.screenshot() });
  });
  const image = (name: string) => `<p><span><img src="${address(name)}" width="300" height="200"></span></p>`;
  await paste(alice.page, {
    'text/html': `<b id="docs-internal-guid-1"><p>Above</p>${image('swan')}<p>Between</p>${image('gone')}${image('swan')}</b>`,
  });
  await expect.poll(() => alice.page.locator('.picture').count()).toBe(2);
  expect(asked.toSorted()).toEqual([address('gone'), address('swan')]);
  await alice.page.getByText('Some pictures couldn’t be fetched from Google.').waitFor();
  await expect.poll(() => shownSize(alice.page)).toEqual(alice.page.viewportSize());
  expect(await alice.page.locator(`a[href="${address('gone')}"]`).count()).toBe(1);
  await alice.waitForReceipt('saved');
  await alice.page.context().close();
});

/** Pastes a picture the way a screenshot arrives: bytes without text. */
async function pastePicture(page: Page, width: number, height: number): Promise<void> {
  await page.evaluate(
    async ([wide, high]) => {
      const canvas = document.createElement('canvas');
      [canvas.width, canvas.height] = [wide, high];
      const context = canvas.getContext('2d');
      if (context === null) throw new Error('no canvas');
      // Noise does not compress, so a smaller picture is a smaller file.
      const pixels = context.createImageData(wide, high);
      for (let at = 0; at < pixels.data.length; at += 65_536)
        crypto.getRandomValues(pixels.data.subarray(at, at + 65_536));
      context.putImageData(pixels, 0, 0);
      const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
      const clipboardData = new DataTransfer();
      clipboardData.items.add(new File([blob ?? ''], 'image.png', { type: 'image/png' }));
      const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
      document.querySelector('[aria-label="Page body"] .block')?.dispatchEvent(event);
    },
    [width, height] as const,
  );
}

async function dropFiles(page: Page, names: readonly string[]): Promise<void> {
  await page.evaluate((all) => {
    const dataTransfer = new DataTransfer();
    for (const name of all) dataTransfer.items.add(new File([`<p>${name}</p>`], name));
    const body = document.querySelector('[aria-label="Page body"] .block');
    const box = body?.getBoundingClientRect();
    const place = { clientX: (box?.left ?? 0) + 5, clientY: (box?.top ?? 0) + 5 };
    body?.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true, ...place }));
  }, names);
}

/** Size of the decoded picture. */
const shownSize = (page: Page) =>
  page.evaluate(() => {
    const image = document.querySelector<HTMLImageElement>('.picture > img');
    if (image === null || image.hidden || image.naturalWidth === 0) return null;
    return { width: image.naturalWidth, height: image.naturalHeight };
  });
