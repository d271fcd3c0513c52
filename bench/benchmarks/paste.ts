// Pasting 300 paragraphs into the built app in a real Chromium, typing below them, and pasting Markdown that takes a parser
// long.
import { buildWhenNeeded } from '../../scripts/setup/build-when-needed.mjs';
import { launchBrowser } from '../../tests/support/browser/browser.ts';
import { Person } from '../../tests/support/browser/person.ts';
import type { Benchmark, Context, Figures, Line, ResultBySystem } from '../benchmark.ts';
import { paste } from '../editor/paste-times.ts';
import { Screen } from '../editor/screen.ts';
import { ms } from '../figures.ts';
import { median, percentile } from '../percentiles.ts';

const PARAGRAPHS = 300;
/** Each has this many characters, with `**bold**` words. */
const WORDS = 'the shuttle carries a thread through the open shed and comes back '.repeat(4);
const HOSTILE = '*a_ '.repeat(20_000);

const PASTE_GOAL_MS = 300;
const KEY_GOAL_MS = 20;
/** The same goal as for hostile pages (`tests/attack`). */
const TASK_GOAL_MS = 200;

const paragraphs = (join: string, wrap: (words: string, at: number) => string, count: number) =>
  Array.from({ length: count }, (_, at) => wrap(WORDS, at)).join(join);

const FORMATS: readonly (readonly [name: string, type: string, content: (count: number) => string])[] = [
  ['text', 'text/plain', (count) => paragraphs('\n', (words, at) => `${words}${at}`, count)],
  ['html', 'text/html', (count) => paragraphs('', (words, at) => `<p>${words}<b>${at}</b></p>`, count)],
  ['markdown', 'text/plain', (count) => paragraphs('\n\n', (words, at) => `${words}**${at}**`, count)],
];

export const pasting: Benchmark = {
  title: 'Pasting 300 paragraphs, and hostile Markdown, in Chromium',
  systems: ['weft'],
  rounds: 3,
  run: measure,
  judge,
};

async function measure({ server, isQuick }: Context): Promise<Figures> {
  const count = isQuick ? 10 : PARAGRAPHS;
  const values: Record<string, number> = {};
  const samples: Record<string, number[]> = {};
  await buildWhenNeeded();
  const browser = await launchBrowser();
  try {
    const person = await Person.at(await browser.newContext({ serviceWorkers: 'block' }));
    const screen = await Screen.on(person.page);
    await person.signUp(server.url, 'Ada');
    await person.createWorkspace('North Quay');
    for (const [name, type, content] of FORMATS) {
      // The first paste compiles the code.
      for (const isWarm of [false, true]) {
        await person.newPage();
        await person.waitUntilEditable();
        await person.putCaretAtEnd();
        const times = await paste(person.page, type, content(count), WORDS.trim().length * count);
        if (!isWarm) values[`${name}: shown the first time`] = times.shownMs;
        else values[`${name}: shown`] = times.shownMs;
        values[`${name}: longest task`] = times.longestTaskMs;
      }
    }
    await screen.putCaret(Math.floor(count / 2));
    await screen.type(isQuick ? 1 : 40, 100);
    const keys = isQuick ? 5 : 120;
    samples['keys'] = [...(await screen.type(keys, 100))];
    values['main thread per key'] = (await screen.mainThread(() => screen.type(keys, 100))) / keys;
    await person.newPage();
    await person.waitUntilEditable();
    await person.putCaretAtEnd();
    const hostile = isQuick ? HOSTILE.slice(0, 4_000) : HOSTILE;
    const times = await paste(person.page, 'text/plain', `- ${hostile}`, hostile.length / 4);
    values['hostile: shown'] = times.shownMs;
    values['hostile: longest task'] = times.longestTaskMs;
  } finally {
    await browser.close();
  }
  return { samples, values };
}

function judge({ weft }: ResultBySystem): readonly Line[] {
  const value = (name: string) => median(weft?.values[name] ?? []);
  const keys = weft?.samples['keys'] ?? [];
  const below = (what: string, reached: number, figure: string, goal: number): Line => ({
    what,
    figure,
    goal: `≤ ${goal} ms`,
    isReached: reached <= goal,
  });
  return [
    ...FORMATS.map(([name]) =>
      below(
        `${PARAGRAPHS} paragraphs as ${name}: from the paste to the frame`,
        value(`${name}: shown`),
        `${ms(value(`${name}: shown`))} (the first time ${ms(value(`${name}: shown the first time`))}; longest task ${ms(value(`${name}: longest task`))})`,
        PASTE_GOAL_MS,
      ),
    ),
    below(
      'a key among them: from the key to the frame, p50',
      percentile(keys, 50),
      `${ms(percentile(keys, 50))} (p98 ${ms(percentile(keys, 98))}; main thread ${ms(value('main thread per key'))})`,
      KEY_GOAL_MS,
    ),
    below(
      '80 kB of `*a_ ` as text: longest task',
      value('hostile: longest task'),
      `${ms(value('hostile: longest task'))}, shown after ${ms(value('hostile: shown'))}`,
      TASK_GOAL_MS,
    ),
  ];
}
