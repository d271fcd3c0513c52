// A wall in a real browser for hours: `node bench/soak-wall.ts [minutes]`. Someone writes a line every few seconds and deletes
// the oldest, and the wall's connection is cut now and then. Prints the wall's memory each minute, and its growth at the end.
// Started by hand, because the tests prove the same in virtual time (`tests/sync/session/watch-week.test.ts`).
import process from 'node:process';
import type { CDPSession } from 'playwright-core';
import { buildWhenNeeded } from '../scripts/setup/build-when-needed.mjs';
import { launchBrowser } from '../tests/support/browser/browser.ts';
import { Person, Watcher } from '../tests/support/browser/person.ts';
import { startServer } from './servers.ts';

const MINUTE_MS = 60_000;
const WRITES_EVERY_MS = 3_000;
/** Caches are full by then. */
const WARM_UP_MINUTES = 2;
const CUT_EVERY_MINUTES = 3;
const CUT_MS = 10_000;
const MAX_LINES = 40;

const minutes = Number(process.argv[2] ?? 120);

async function measure(devtools: CDPSession) {
  // Twice: what finalizers release in the first round is collected in the second.
  await devtools.send('HeapProfiler.collectGarbage');
  await devtools.send('HeapProfiler.collectGarbage');
  const { metrics } = await devtools.send('Performance.getMetrics');
  const of = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? Number.NaN;
  return { kilobytes: Math.round(of('JSHeapUsedSize') / 1024), nodes: of('Nodes'), listeners: of('JSEventListeners') };
}

await buildWhenNeeded();
const { child, address } = await startServer('weft', {});
const browser = await launchBrowser();
try {
  const ada = await Person.at(await browser.newContext({ serviceWorkers: 'block' }));
  await ada.signUp(address.url, 'Ada');
  await ada.createWorkspace('North Quay');
  await ada.newPage();
  const link = await ada.createLink('watch');
  const context = await browser.newContext({ serviceWorkers: 'block' });
  const wall = new Watcher(await context.newPage());
  await wall.open(link.replace('#', '?wall#'));
  const devtools = await context.newCDPSession(wall.page);
  await devtools.send('Performance.enable');
  await ada.putCaretAtEnd();
  let lines = 0;
  const write = async (ms: number) => {
    const until = Date.now() + ms;
    while (Date.now() < until) {
      await ada.goToEnd();
      await ada.page.keyboard.press('Enter');
      await ada.type(`Line ${lines++} of a long evening.`);
      if (lines > MAX_LINES) {
        await ada.putCaretAtEnd(0);
        await ada.page.keyboard.press('Shift+Home');
        await ada.page.keyboard.press('Delete');
        await ada.page.keyboard.press('Delete');
      }
      await ada.page.waitForTimeout(WRITES_EVERY_MS);
    }
  };
  let first = null;
  let last = null;
  for (let minute = 1; minute <= minutes; minute++) {
    if (minute % CUT_EVERY_MINUTES === 0) {
      await context.setOffline(true);
      await ada.page.waitForTimeout(CUT_MS);
      await context.setOffline(false);
    }
    await write(MINUTE_MS);
    last = await measure(devtools);
    if (minute === WARM_UP_MINUTES) first = last;
    const isThere = (await wall.text()).includes(`Line ${lines - 2} of`);
    process.stdout.write(`${minute} ${JSON.stringify(last)} ${isThere ? 'up to date' : 'BEHIND'}\n`);
  }
  if (first !== null && last !== null) {
    const hours = (minutes - WARM_UP_MINUTES) / 60;
    const growth = Math.round((last.kilobytes - first.kilobytes) / hours);
    process.stdout.write(
      `${lines} lines, ${growth} KB an hour, ${last.nodes - first.nodes} nodes, ${last.listeners - first.listeners} listeners\n`,
    );
  }
} finally {
  await browser.close();
  await child.stop();
}
