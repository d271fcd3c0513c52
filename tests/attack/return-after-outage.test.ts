// Many pages whose server goes away and comes back.
import process from 'node:process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '../contract/contract-fixture.ts';
import { type TestBackend, startTestBackend } from '../support/server/backend.ts';
import { type NetworkTab, openPage } from './network-tab.ts';
import { IS_LONG, msIfLong } from './support/is-long.ts';

/** `npm run attack`: 200 tabs. */
const PAGES = IS_LONG ? 40 : 4;
const TABS_PER_PAGE = 5;
const BACK_WITHIN_MS = 5_000;

let backend: TestBackend;
beforeAll(async () => {
  // The free plan's limit.
  backend = await startTestBackend({ realtimeLimits: { maxJoinsPerSecond: 100 } });
});
afterAll(() => backend.close());

test(
  '[SY22] [LK7] after an outage all tabs are back, each with one join (npm run attack: 95 of 100 within 5 s)',
  { timeout: 180_000 },
  async () => {
    const pages: (readonly NetworkTab[])[] = [];
    for (let n = 0; n < PAGES; n++) pages.push(await openPage(backend, TABS_PER_PAGE));
    const tabs = pages.flat();
    await until(() => tabs.every((tab) => tab.isLive), 30_000);
    // On half of the pages someone writes, so that calls fail as well.
    const writers = pages.flatMap(([writer], nth) => (writer === undefined || nth % 2 === 1 ? [] : [writer]));
    for (const writer of writers) writer.type('before ');
    for (const tab of tabs) {
      tab.up.clear();
      tab.tries = 0;
      tab.network.cut();
    }
    for (const writer of writers) writer.type('during ');
    // realtime-js alone would keep a join and a leave of each try, and the leave of the channel that was lost.
    await until(() => tabs.every((tab) => tab.tries >= 2 && !tab.isLive), 30_000);

    const start = performance.now();
    const backAfter = new Map<NetworkTab, number>();
    for (const tab of tabs) {
      tab.session.subscribe(() => {
        if (tab.isLive && !backAfter.has(tab)) backAfter.set(tab, performance.now() - start);
      });
      tab.network.restore();
    }
    await until(() => backAfter.size === tabs.length, 60_000);
    const times = [...backAfter.values()].sort((a, b) => a - b);
    const after = (part: number) => Math.round(times[Math.ceil(times.length * part) - 1] ?? Number.NaN);
    const joins = tabs.reduce((sum, tab) => sum + (tab.up.get('phx_join') ?? 0), 0);
    // No one left since: every leave is of a channel that ended with the lost connection.
    const leaves = tabs.reduce((sum, tab) => sum + (tab.up.get('phx_leave') ?? 0), 0);
    process.stdout.write(
      `${tabs.length} tabs: ${joins} joins, ${leaves} leaves; back after ${after(0.5)} ms (p50), ${after(0.95)} ms (p95), ${after(1)} ms (last)\n`,
    );
    expect(msIfLong(after(0.95))).toBeLessThanOrEqual(BACK_WITHIN_MS);
    expect([joins, leaves]).toEqual([tabs.length, 0]);

    // Text flows again, with what was typed meanwhile.
    for (const [writer] of pages) writer?.type('after ');
    const shown = pages.map(([writer]) =>
      writer !== undefined && writers.includes(writer) ? 'after during before ' : 'after ',
    );
    await until(() => pages.every((page, nth) => page.every(({ text }) => text === shown[nth])), 10_000);
    await Promise.all(tabs.map((tab) => tab.close()));
  },
);
