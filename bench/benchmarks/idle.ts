// Battery and radio: how often a page wakes that is open while no one uses it, in sight and hidden.
import type { Browser } from 'playwright-core';
import { buildWhenNeeded } from '../../scripts/setup/build-when-needed.mjs';
import { NO_SERVICE_WORKER } from '../../tests/support/browser/browser.ts';
import { Person, Watcher } from '../../tests/support/browser/person.ts';
import type { Benchmark, Context, Figures, Line, ResultBySystem } from '../benchmark.ts';
import { inBrowser } from '../in-browser.ts';
import { median } from '../percentiles.ts';
import { bySource, hide, timesAwake, wakeUpsWithin, watchWakeUps } from '../wake-ups.ts';

const MINUTE_MS = 60_000;
/** A page asks more often for five minutes after the last change. */
const SETTLES_MS = 6 * MINUTE_MS;
const COUNTED_MS = 6 * MINUTE_MS;
const QUICK_MS = 1_500;
const WAKE_UPS = 'wake-ups a minute';

export const idle: Benchmark = {
  title: 'An open page that no one uses: how often it wakes',
  systems: ['weft'],
  rounds: 1,
  run: inBrowser(measure),
  judge,
};

async function measure({ server, isQuick }: Context, browser: Browser): Promise<Figures> {
  await buildWhenNeeded();
  const newPerson = async (name: string) => {
    const person = await Person.at(await browser.newContext(NO_SERVICE_WORKER));
    await watchWakeUps(person.page);
    await person.signUp(server.url, name);
    return person;
  };
  const newPageOf = async (name: string) => {
    const person = await newPerson(name);
    await person.createWorkspace('North Quay');
    await person.newPage();
    await person.putCaretAtEnd();
    await person.type('Words.');
    await person.waitForReceipt('saved');
    return person;
  };
  const alone = await newPageOf('Ada');
  const accompanied = await newPageOf('Bo');
  const hidden = await newPageOf('Cy');
  for (const owner of [accompanied, hidden]) {
    const other = await newPerson('Di');
    await other.join(await owner.createInviteLink());
    await other.page.goto(owner.page.url());
    await other.waitUntilEditable();
  }
  const home = await newPageOf('Ed');
  await home.page.goto(home.page.url().replace(/\/p\/.*$/, ''));
  const link = await alone.createLink('watch');
  const newWatcher = async () => {
    const page = await (await browser.newContext(NO_SERVICE_WORKER)).newPage();
    await watchWakeUps(page);
    await new Watcher(page).open(link);
    return page;
  };
  const watcher = await newWatcher();
  const hiddenWatcher = await newWatcher();
  for (const page of [hidden.page, hiddenWatcher]) await hide(page);
  const pages = {
    'a page': alone.page,
    'a page with someone else': accompanied.page,
    'a hidden page with someone else': hidden.page,
    'a workspace': home.page,
    'a watched page': watcher,
    'a hidden watched page': hiddenWatcher,
  };
  await alone.page.waitForTimeout(isQuick ? 0 : SETTLES_MS);
  const ms = isQuick ? QUICK_MS : COUNTED_MS;
  const counted = await Promise.all(
    Object.entries(pages).map(async ([name, page]) => [name, await wakeUpsWithin(page, ms)] as const),
  );
  const values: Record<string, number> = {};
  for (const [name, wakeUps] of counted) {
    values[`${name}: ${WAKE_UPS}`] = (timesAwake(wakeUps) * MINUTE_MS) / ms;
    for (const [source, times] of bySource(wakeUps)) values[`${name}: ${source}`] = (times * MINUTE_MS) / ms;
  }
  return { samples: {}, values };
}

function judge(measured: ResultBySystem): readonly Line[] {
  const values = Object.entries(measured.weft?.values ?? {}).map(([name, all]) => [name, median(all)] as const);
  return values.flatMap(([name, perMinute]): readonly Line[] => {
    const [page = '', what] = name.split(': ');
    if (what !== WAKE_UPS) return [];
    const sources = values.flatMap(([one, times]) =>
      one.startsWith(`${page}: `) && one !== name ? [{ source: one.slice(page.length + 2), times }] : [],
    );
    const most = page.startsWith('a hidden') ? 0 : 1;
    const shown = sources.toSorted((a, b) => b.times - a.times).map((one) => `${one.source} ${one.times.toFixed(1)}`);
    return [
      { what: `${page}: ${WAKE_UPS}`, figure: perMinute.toFixed(1), goal: '', isReached: null },
      {
        what: `${page}: each source, times a minute`,
        figure: shown.join('; ') || 'none',
        goal: `≤ ${most}`,
        isReached: sources.every(({ times }) => times <= most),
      },
    ];
  });
}
