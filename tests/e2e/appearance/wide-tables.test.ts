// A table that is wider than the screen shows at which side more columns are, in both themes.
import { PNG } from 'pngjs';
import { expect, test } from 'vitest';
import { useE2eFixture } from '../../support/browser/e2e-fixture.ts';
import { paste } from '../../support/browser/paste.ts';

const fixture = useE2eFixture();

test('a shade stands at the side where more columns are, and leaves at the end', async () => {
  const alice = await fixture.newcomer('Alice', { viewport: { width: 1280, height: 800 } });
  const { page } = alice;
  await alice.createWorkspace('Northquay');
  await alice.newPage();
  await alice.putCaretAtEnd();
  const row = (cell: string) => `|${` ${cell} |`.repeat(9)}`;
  await paste(page, { 'text/plain': [row('Tide'), row('---'), row('4.1 m')].join('\n') });
  await alice.waitForReceipt('saved');
  await page.setViewportSize({ width: 390, height: 760 });
  const table = page.locator('.table-scroll');
  const scrollTo = (left: number) => table.evaluate((one, to) => one.scrollTo(to, 0), left);
  /** Which sides have another color than the middle, in a line of the table without text. */
  const shades = async () => {
    const { width, data } = PNG.sync.read(await table.screenshot());
    const colorAt = (x: number) => data.subarray((4 * width + x) * 4, (4 * width + x) * 4 + 3).join();
    return { left: colorAt(1) !== colorAt(width >> 1), right: colorAt(width - 2) !== colorAt(width >> 1) };
  };
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await scrollTo(0);
    await expect.poll(shades, { message: colorScheme }).toEqual({ left: false, right: true });
    await scrollTo(200);
    await expect.poll(shades, { message: colorScheme }).toEqual({ left: true, right: true });
    await scrollTo(9_999);
    await expect.poll(shades, { message: colorScheme }).toEqual({ left: true, right: false });
  }
});
