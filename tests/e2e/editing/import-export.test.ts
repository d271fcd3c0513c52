// Imports several files as pages at once, and exports a page in each format. Importing Weft's own format restores the same
// page. An exported web page makes no request, and print shows nothing of the app.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { NO_SERVICE_WORKER, SERVICE_WORKER } from '../../support/browser/browser.ts';
import { useE2eFixture } from '../../support/browser/e2e-fixture.ts';
import type { Person } from '../../support/browser/person.ts';

const fixture = useE2eFixture();
let scratch: string;
beforeEach(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'weft-files-'));
});
afterEach(() => rm(scratch, { recursive: true, force: true, maxRetries: 3 }));

const PLAN = `# Plan

Words with **bold** and a [link](https://weft.dev).

## Steps

- [x] write
- [ ] send
  - by train

> [!WARNING]
> Mind the gap

| who | what |
| - | - |
| Alice | writes |

\`\`\`ts
let x = 1 < 2;
\`\`\`

$$
x^2
$$

![The quay](pictures/quay.png)
`;
/** Two pixels wide, one high. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAIAAAB7QOjdAAAADUlEQVR4nGNQaFgARAAHxwKB7/iyAgAAAABJRU5ErkJggg==',
  'base64',
);

async function download(person: Person, item: string): Promise<{ readonly name: string; readonly bytes: Buffer }> {
  // Together: a download that no one waits for any more would be an error outside of the test.
  const [file] = await Promise.all([
    person.page.waitForEvent('download'),
    person.choosePageItem('Export and import', item),
  ]);
  return { name: file.suggestedFilename(), bytes: await readFile(await file.path()) };
}

async function exported(person: Person, item: string): Promise<string> {
  const { name, bytes } = await download(person, item);
  return `${name}\n${bytes.toString('utf8')}`;
}

async function unzipped(person: Person, item: string): Promise<readonly [string, Readonly<Record<string, Buffer>>]> {
  const { name, bytes } = await download(person, item);
  const files = Object.entries(unzipSync(bytes)).map(([path, file]) => [path, Buffer.from(file)] as const);
  return [name, Object.fromEntries(files)];
}

/** Imports through the button on the home screen. */
async function importFiles({ page }: Person, files: Readonly<Record<string, string | Buffer>>): Promise<void> {
  const paths = Object.keys(files).map((name) => join(scratch, name));
  for (const [name, text] of Object.entries(files)) await writeFile(join(scratch, name), text);
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: 'Import', exact: true }).click(),
  ]);
  await chooser.setFiles(paths);
}

const pictureIn = (page: Page) => page.locator('[aria-label="Page body"] .picture');

test('files are imported as pages, exported in every format, and imported again', async () => {
  const alice = await fixture.newcomer('Alice', SERVICE_WORKER);
  await alice.createWorkspace('North Quay');
  await alice.page.getByRole('link', { name: 'Home', exact: true }).click();
  await alice.button('Import').waitFor();
  const home = alice.page.url();

  await importFiles(alice, {
    'plan.md': PLAN,
    'second_note.md': '---\ntitle: Second\n---\nWords\n',
    'third.html': '<title>T</title><h1>Third</h1><h2>Part</h2><script>document.title = "ran"</script>',
    'quay.png': PNG,
  });
  const link = (name: string) =>
    alice.page.getByRole('region', { name: 'Pages' }).getByRole('link', { name, exact: true });
  for (const name of ['Plan', 'Second', 'Third']) await link(name).waitFor({ timeout: 20_000 });
  await link('Plan').click();
  await expect.poll(() => alice.bodyText(), { timeout: 20_000 }).toContain('Mind the gap');
  await alice.waitForReceipt('saved');
  await expect.poll(() => pictureIn(alice.page).getAttribute('data-state'), { timeout: 15_000 }).toBe('here');
  await expect.poll(() => pictureIn(alice.page).getAttribute('data-upload'), { timeout: 15_000 }).toBe('');

  // Export offline: the code that writes files is loaded on demand, from the service worker.
  await alice.waitForOfflineShell();
  await alice.page.context().setOffline(true);
  // Markdown names its pictures, so they come along.
  const [zip, files] = await unzipped(alice, 'Export as Markdown (.md)');
  expect([zip, Object.keys(files)]).toEqual(['Plan.zip', ['Plan/Plan/files/quay.png', 'Plan/Plan.md']]);
  expect(files['Plan/Plan.md']?.toString('utf8')).toBe(PLAN.replace('pictures/', 'Plan/files/'));
  expect(files['Plan/Plan/files/quay.png']?.equals(PNG)).toBe(true);
  expect(await exported(alice, 'Export as plain text (.txt)')).toContain('plan.txt\nPlan\n\nWords with bold');
  const html = await exported(alice, 'Export as web page (.html)');
  const own = await exported(alice, 'Export as Weft file (.json)');
  await alice.page.context().setOffline(false);
  expect(html).toMatch(/^plan\.html\n<!doctype html>[\s\S]*<h1>Plan<\/h1>[\s\S]*<math/);

  // The web page makes no request, and its picture is inside.
  await writeFile(join(scratch, 'plan.html'), html.slice(html.indexOf('\n') + 1));
  const reader = await (await fixture.browser.newContext(NO_SERVICE_WORKER)).newPage();
  const requests: string[] = [];
  reader.on('request', (request) => requests.push(request.url()));
  await reader.goto(`file://${join(scratch, 'plan.html')}`);
  expect(await reader.locator('h2').innerText()).toBe('Steps');
  expect(await reader.locator('img').evaluate((image) => Reflect.get(image, 'naturalWidth'))).toBe(2);
  expect(requests.filter((address) => !address.startsWith('file:'))).toEqual([]);

  // Dropping Weft's own format on the home screen gives the same page with a copy of the picture.
  await alice.page.goto(home);
  const feed = alice.page.locator('.activity');
  await feed.getByText('You imported 3 pages').waitFor();
  // “Plan” was opened; the import of the others is no news.
  expect(await feed.getByText(/Second|Third/).count()).toBe(0);
  const continued = alice.page.locator('.home section').filter({ hasText: 'Continue where you left off' });
  await continued.getByRole('link', { name: 'Plan' }).waitFor();
  expect(
    await alice.page
      .locator('.home-columns')
      .getByRole('link', { name: /^(Second|Third)$/ })
      .count(),
  ).toBe(0);
  await alice.button('Import').waitFor();
  await alice.page.evaluate(
    (text) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([text], 'copy.json', { type: 'application/json' }));
      document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
    },
    own.slice(own.indexOf('\n') + 1),
  );
  await alice.page.waitForURL((address) => address.pathname.includes('/p/plan-'), { timeout: 20_000 });
  await expect.poll(() => alice.bodyText(), { timeout: 20_000 }).toContain('Mind the gap');
  await expect.poll(() => pictureIn(alice.page).getAttribute('data-state'), { timeout: 15_000 }).toBe('here');
  const withoutFiles = (text: string) => text.replace(/"(?:document|file)":"[^"]+"/g, '');
  const again = await exported(alice, 'Export as Weft file (.json)');
  expect(withoutFiles(again)).toBe(withoutFiles(own));
  expect(again).not.toBe(own);

  // Print shows the text and nothing of the app.
  await alice.page.emulateMedia({ media: 'print' });
  expect(await alice.button('More').isVisible()).toBe(false);
  expect(await alice.page.getByRole('navigation', { name: 'Workspace' }).isVisible()).toBe(false);
  expect(await pictureIn(alice.page).isVisible()).toBe(true);
});
