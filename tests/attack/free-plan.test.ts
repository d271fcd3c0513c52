// Writers over the embedded Realtime with the limits of Supabase's free plan: no one's channel is closed. Realtime averages over
// a minute, or over the seconds since it began to count. So the short run begins by counting after everyone's first edits have
// gone out, and nothing is closed there; the long run is as the server counts by itself, and holds the rate against the limit.
// The short one only prints it, since a busy machine delivers the messages of more seconds: tests/sync/live/rates.test.ts counts
// them in virtual time.
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { PLANS } from '../../backend/realtime/limits/plans.ts';
import { pageBudget } from '../../src/sessions/page-budget.ts';
import { until } from '../contract/contract-fixture.ts';
import { startTestBackend } from '../support/server/backend.ts';
import { openPage } from './network-tab.ts';
import { IS_LONG } from './support/is-long.ts';

const LIMIT = PLANS.free.maxEventsPerSecond;
const METER = IS_LONG ? {} : { maxEventsPerSecond: 100 * LIMIT };
const TYPING_MS = IS_LONG ? 60_000 : 2_500;
const BEGINNING_MS = IS_LONG ? 0 : 2_500;
const KEY_EVERY_MS = 200;

test.each([{ pages: 1, writers: 10 }, { pages: 5, writers: 4 }, ...(IS_LONG ? [{ pages: 1, writers: 30 }] : [])])(
  '[LR1] $writers writers on each of $pages pages: no channel is closed on the free plan',
  { timeout: 180_000 },
  async ({ pages, writers }) => {
    // Limits of presence are others': here everyone comes at once, and is one person with many tabs.
    const presence = { maxPresenceEventsPerSecond: 1_000, maxPresenceBytesPerPerson: 100_000 };
    const backend = await startTestBackend({ plan: 'free', realtimeLimits: { ...METER, ...presence } });
    const liveBudget = pageBudget(LIMIT);
    const all = await Promise.all(Array.from({ length: pages }, () => openPage(backend, writers, { liveBudget })));
    const tabs = all.flat();
    await until(() => tabs.every((tab) => tab.isLive && tab.session.getView().peers.length === writers), 30_000);
    const end = performance.now() + BEGINNING_MS + TYPING_MS;
    const typing = tabs.map(async (tab, nth) => {
      await delay((KEY_EVERY_MS * nth) / tabs.length);
      while (performance.now() < end) {
        tab.type('x');
        await delay(KEY_EVERY_MS);
      }
    });
    await delay(BEGINNING_MS);
    for (const tab of tabs) {
      tab.down.clear();
      tab.up.clear();
    }
    const countedFrom = performance.now();
    await Promise.all(typing);
    const closed = tabs.reduce((sum, tab) => sum + (tab.down.get('phx_close') ?? 0), 0);
    const messages = tabs.reduce((sum, tab) => sum + (tab.down.get('binary') ?? 0) + (tab.up.get('binary') ?? 0), 0);
    const rate = (1_000 * messages) / (performance.now() - countedFrom);
    process.stdout.write(
      `${pages} × ${writers} writers: ${Math.round(rate)} messages per second, ${closed} channels closed\n`,
    );
    expect(closed).toBe(0);
    expect(IS_LONG ? rate : 0).toBeLessThan(LIMIT);
    const same = () => all.every((page) => new Set(page.map(({ text }) => text)).size === 1);
    await until(() => same() && tabs.every((tab) => tab.session.getView().receipt === 'saved'), 20_000);
    await Promise.all(tabs.map((tab) => tab.close()));
    await backend.close();
  },
);
