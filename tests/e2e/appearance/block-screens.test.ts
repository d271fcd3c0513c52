// Compares each kind of block with reference pictures in `tests/e2e/screens`: in light, in dark and on a phone, in the editor
// and on the watch page. To renew the pictures, run this file alone with WEFT_SCREENS=renew and look at each changed picture.
import type { Page } from 'playwright-core';
import { PNG } from 'pngjs';
import { beforeAll, expect, test } from 'vitest';
import { NO_SERVICE_WORKER } from '../../support/browser/browser.ts';
import { useE2eFixture } from '../../support/browser/e2e-fixture.ts';
import { Person, Watcher } from '../../support/browser/person.ts';
import { compareScreen, differenceOf } from '../../support/browser/screen-reference.ts';

const CODE = `// Who brings what
export function share(boats: number): string {
  const each = Math.ceil(12 / boats);
  return \`\${each} lanterns\`; // and a long remark that goes on beyond the edge of the block and scrolls
}`;
const LONG = 'The harbour opens at six, and whoever comes by boat ties up at the old crane, not at the ferry.';

type Line = { readonly style: object; readonly html: string };
const line = (style: object, html: string): Line => ({ style, html });
const bullet = (indent: number, html: string) => line({ kind: 'bullet', indent }, html);
const numbered = (indent: number, html: string) => line({ kind: 'numbered', indent }, html);

/** In the order of the page. Each group is one picture. */
const GROUPS: readonly (readonly [string, readonly Line[]])[] = [
  ['heading', [1, 2, 3].map((level) => line({ kind: 'heading', level }, `A heading of level ${level}`))],
  [
    'paragraph',
    [
      line(
        { kind: 'paragraph' },
        `${LONG} <b>Bold</b>, <i>italic</i>, <u>underlined</u>, <s>struck</s>, <code>code</code>, <mark>marked</mark>, <a href="https://weft.dev">a link</a>.`,
      ),
      line({ kind: 'paragraph', indent: 1 }, 'One step in.'),
    ],
  ],
  ['bullet', [bullet(0, LONG), bullet(1, 'Ropes'), bullet(2, 'Short ones'), bullet(0, 'Lanterns')]],
  [
    'numbered',
    [
      numbered(0, 'Anchor'),
      numbered(1, 'Slowly'),
      numbered(2, 'Very'),
      numbered(2, 'Slowly'),
      numbered(1, 'Still'),
      numbered(0, LONG),
    ],
  ],
  [
    'task',
    [
      line({ kind: 'task' }, 'Lanterns along the north quay'),
      line({ kind: 'task', checked: true }, 'Boats for the parade'),
    ],
  ],
  ['quote', [line({ kind: 'quote' }, LONG)]],
  ...(['note', 'tip', 'care', 'stop'] as const).map((tone): readonly [string, readonly Line[]] => [
    `callout-${tone}`,
    [line({ kind: 'callout', tone }, LONG)],
  ]),
  [
    'callout-blocks',
    [
      line({ kind: 'callout', tone: 'tip' }, LONG),
      line({ kind: 'paragraph', indent: 1 }, 'Mind the steps:'),
      line({ kind: 'heading', level: 2, indent: 1 }, 'Low water'),
      bullet(1, 'They are slippery'),
      bullet(2, LONG),
      numbered(1, 'First'),
      line({ kind: 'task', indent: 1 }, 'Second'),
      line({ kind: 'callout', tone: 'stop', indent: 1 }, 'Not in fog'),
      line({ kind: 'code', language: 'ts', indent: 1 }, 'wait();'),
      line({ kind: 'paragraph', indent: 1 }, 'Then go.'),
    ],
  ],
  [
    'numbered-start',
    [
      line({ kind: 'numbered', start: 9, delimiter: ')' }, 'Nine'),
      line({ kind: 'numbered', delimiter: ')' }, LONG),
      line({ kind: 'numbered', start: 1998 }, 'Many'),
    ],
  ],
  ['toggle', [line({ kind: 'toggle' }, 'What to pack'), line({ kind: 'paragraph', indent: 1 }, 'A tent.')]],
  ['toggle-folded', [line({ kind: 'toggle' }, 'What to leave'), line({ kind: 'paragraph', indent: 1 }, 'Worries.')]],
  ['code', [line({ kind: 'code', language: 'ts' }, CODE)]],
];
/** Blocks that are typed after the pasted ones, one picture each. */
const TYPED_BLOCKS = ['divider', 'formula', 'formula-wrong', 'card'] as const;

const VIEWS = [
  { name: 'light', width: 1024, colorScheme: 'light' },
  { name: 'dark', width: 1024, colorScheme: 'dark' },
  { name: 'phone', width: 360, colorScheme: 'light' },
] as const;
/** So tall that the page does not scroll. */
const HEIGHT = 4200;

const fixture = useE2eFixture();
let alice: Person;
let watcher: Watcher;

beforeAll(async () => {
  const context = { ...NO_SERVICE_WORKER, viewport: { width: 1024, height: HEIGHT }, reducedMotion: 'reduce' } as const;
  alice = await Person.at(await fixture.browser.newContext(context));
  await alice.signUp(fixture.server.url, 'Alice');
  await alice.createWorkspace('North Quay');
  await alice.newPage();
  await alice.field('Page title').fill('All blocks');
  await alice.putCaretAtEnd();
  await pasteBlocks(alice.page);
  await typeOtherBlocks(alice);
  await foldSecondToggle(alice.page);
  const link = await alice.createLink('watch');
  await alice.waitForReceipt('saved');
  watcher = new Watcher(await (await fixture.browser.newContext(context)).newPage());
  await watcher.open(link);
  await foldSecondToggle(watcher.page);
});

test.each(VIEWS)('each block looks like its reference picture: $name', async ({ name, width, colorScheme }) => {
  const wrong: (string | null)[] = [];
  for (const [page, prefix] of [
    [alice.page, ''],
    [watcher.page, 'watched-'],
  ] as const) {
    await page.setViewportSize({ width, height: HEIGHT });
    await page.emulateMedia({ colorScheme });
    await page.evaluate(() =>
      document.activeElement instanceof HTMLElement ? document.activeElement.blur() : undefined,
    );
    await page.locator('.katex-html').first().waitFor();
    await page.locator('.hljs-keyword').first().waitFor();
    await page.evaluate(() => document.fonts.ready);
    await page.mouse.move(0, 0);
    const boxes = await boxesOf(page);
    // One screenshot of everything: each takes a tenth of a second, however small.
    const whole = PNG.sync.read(await page.screenshot({ animations: 'disabled', caret: 'hide' }));
    for (const [group, { x, y, width: wide, height }] of boxes) {
      const part = new PNG({ width: Math.min(wide, whole.width - x), height });
      PNG.bitblt(whole, part, x, y, part.width, height, 0, 0);
      wrong.push(compareScreen(`${prefix}${group}-${name}`, part));
    }
  }
  expect(wrong.filter((one) => one !== null)).toEqual([]);
});

test('the comparison notices another colour, a moved shape and another size', () => {
  const draw = (left: number, shade: number, width = 100): PNG => {
    const picture = new PNG({ width, height: 40 });
    picture.data.fill(255);
    for (let y = 10; y < 30; y++) {
      for (let x = left; x < left + 20; x++) picture.data.fill(shade, (y * width + x) * 4, (y * width + x) * 4 + 3);
    }
    return picture;
  };
  expect(differenceOf(draw(10, 0), draw(10, 20))).toBeNull();
  expect(differenceOf(draw(10, 0), draw(10, 160))).toMatch(/% of its pixels differ/);
  expect(differenceOf(draw(10, 0), draw(16, 0))).toMatch(/% of its pixels differ/);
  expect(differenceOf(draw(10, 0), draw(10, 0, 90))).toBe('90 × 40 px, was 100 × 40');
});

/** Inserts the blocks by pasting, in the form that a copy from another Weft page has. */
async function pasteBlocks(page: Page): Promise<void> {
  const html = GROUPS.flatMap(([, lines]) => lines)
    .map(({ style, html: words }) => {
      const isCode = 'kind' in style && style.kind === 'code';
      const inside = isCode ? `<code>${words.replaceAll('<', '&lt;')}</code>` : words;
      const tag = isCode ? 'pre' : 'p';
      return `<${tag} data-weft='${JSON.stringify({ type: 'block', ...style })}'>${inside}</${tag}>`;
    })
    .join('');
  await page.evaluate((pasted) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/html', pasted);
    document.activeElement?.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
    );
  }, html);
}

async function typeOtherBlocks(person: Person): Promise<void> {
  const { keyboard } = person.page;
  await keyboard.press('Control+Enter');
  await person.type('---');
  await person.type('$$ \\int_0^1 \\frac{x^2}{1+x}\\,dx = \\ln 2 - \\tfrac12');
  await keyboard.press('Enter');
  await person.type('$$ \\frac{1}{');
  await keyboard.press('Enter');
  await person.page.evaluate(() => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', 'https://weft.dev/guide/first-page');
    document.activeElement?.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
    );
  });
  await keyboard.press('Control+Enter');
}

async function foldSecondToggle(page: Page): Promise<void> {
  await page.locator('[data-kind="toggle"] > .block-lead').nth(1).click();
}

type Clip = { readonly x: number; readonly y: number; readonly width: number; readonly height: number };

/** The rectangle of each group. Folded blocks take no space. */
async function boxesOf(page: Page): Promise<readonly (readonly [string, Clip])[]> {
  const boxes = await page.locator('.page-body > .block').evaluateAll((blocks) =>
    blocks.map((block) => {
      const { x, y, width, height } = block.getBoundingClientRect();
      return { x, y, width, height, isFolded: height === 0 };
    }),
  );
  // The watch page does not render folded blocks at all.
  const counts = [
    ...GROUPS.map(([name, lines]) => [name, lines.length] as const),
    ...TYPED_BLOCKS.map((name) => [name, 1] as const),
  ];
  const areFoldedOmitted = boxes.every(({ isFolded }) => !isFolded);
  let at = 0;
  return counts.map(([name, count]) => {
    const mine = boxes.slice(at, at + (areFoldedOmitted && name === 'toggle-folded' ? count - 1 : count));
    at += mine.length;
    const shown = mine.filter(({ isFolded }) => !isFolded);
    const top = Math.floor(Math.min(...shown.map(({ y }) => y))) - 6;
    const bottom = Math.ceil(Math.max(...shown.map(({ y, height }) => y + height))) + 6;
    const left = Math.max(0, Math.floor(Math.min(...shown.map(({ x }) => x))) - 12);
    const right = Math.ceil(Math.max(...shown.map(({ x, width }) => x + width))) + 12;
    return [name, { x: left, y: top, width: right - left, height: bottom - top }] as const;
  });
}
