// Things that engines lay out differently: the height of the title, scrollbars over buttons, marks beside the column.
import { expect, test } from 'vitest';
import { useServer } from '../support/browser/e2e-fixture.ts';
import { WINDOW } from '../support/browser/engines/engine-tab.ts';
import { enginesToTest } from '../support/browser/engines/find-engines.ts';
import { EnginePerson } from './engine-person.ts';

const NARROW = { width: 360, height: 800 };
const TITLE = 'A long title that has three lines in a wide window and many more lines in a narrow one';

const server = useServer();

test.each(enginesToTest().map((engine) => [engine.name, engine] as const))('layout in %s', async (_name, engine) => {
  const tab = await engine.open();
  try {
    const alice = new EnginePerson(tab);
    await alice.start(server().url, 'Alice');

    // The title is as high as its text in every width.
    await alice.click('textarea');
    await alice.type(TITLE);
    const heights: number[] = [];
    for (const { width, height } of [WINDOW, NARROW, WINDOW]) {
      await tab.setSize(width, height);
      await expect.poll(() => tab.evaluate(cutOffPixels), { message: `the title at ${width} px` }).toBe(0);
      heights.push(await tab.evaluate(titleHeight));
    }
    expect(heights[1]).toBeGreaterThan(heights[0] ?? 0);
    // A wider title shrinks in the frame after the change of size.
    await expect.poll(() => tab.evaluate(titleHeight)).toBe(heights[0]);

    // The scrollbar of a long tree leaves the buttons at its edge alone.
    expect(await tab.evaluate(lengthenTree)).toBe(true);
    const before = await alice.path();
    await alice.click('.tree > header > button', 'New page');
    await expect.poll(() => alice.path()).not.toBe(before);
    const top = await alice.path();
    const [row] = await tab.evaluate(buttonsOfRows);
    await tab.clickAt(...(row ?? [0, 0]));
    await expect.poll(() => alice.path()).not.toBe(top);

    // A save mark stands left of the column, also on a page whose far blocks are not laid out.
    expect(await tab.evaluate(isMarkCutOff)).toBe(false);

    // A formula in a line stands on that line. In WebKit a box with `overflow: clip` stands above it.
    await alice.click('.page-body .block-text');
    await alice.type('So $x$ stands here.');
    await expect.poll(() => tab.evaluate(heightAboveLine)).not.toBeNull();
    expect(Math.abs((await tab.evaluate(heightAboveLine)) ?? Infinity)).toBeLessThan(1);
  } finally {
    await tab.close();
  }
});

// These run in the page.

function cutOffPixels(): number {
  const title = document.querySelector('textarea');
  return title === null ? -1 : Math.max(0, title.scrollHeight - title.clientHeight);
}

const titleHeight = (): number => document.querySelector('textarea')?.clientHeight ?? 0;

/** True if the tree scrolls then. */
function lengthenTree(): boolean {
  const [scroller, rows] = [document.querySelector('.side-scroll'), document.querySelector<HTMLElement>('.tree-rows')];
  rows?.style.setProperty('--rows', '40');
  return scroller !== null && scroller.scrollHeight > scroller.clientHeight;
}

/** The middle of the button at the end of each row, while the pointer is on the row. */
function buttonsOfRows(): (readonly [number, number])[] {
  return Array.from(document.querySelectorAll<HTMLElement>('.tree .row-acts .icon-btn:last-child'), (button) => {
    const acts = button.parentElement;
    if (acts !== null) acts.style.display = 'flex';
    const { left, width, top, height } = button.getBoundingClientRect();
    if (acts !== null) acts.style.display = '';
    return [left + width / 2, top + height / 2] as const;
  });
}

/** How far the baseline of the formula is above that of the text around it, in pixels; null until the formula is drawn. */
function heightAboveLine(): number | null {
  const body = document.querySelector('.page-body:has(.katex-base)');
  if (body === null) return null;
  // Measured in a copy, because the editor removes foreign elements.
  const copy = document.importNode(body, true);
  copy.removeAttribute('contenteditable');
  document.querySelector('.page-column')?.prepend(copy);
  // The bottom of an empty box stands on the baseline of the element that holds it.
  const [text = 0, formula = 0] = ['.block-text', '.katex-base'].map((selector) => {
    const box = document.createElement('span');
    box.style.cssText = 'display: inline-block; width: 0; height: 0';
    copy.querySelector(selector)?.append(box);
    return box.getBoundingClientRect().bottom;
  });
  copy.remove();
  return text - formula;
}

/** Whether a long page cuts off the mark beside a block. */
function isMarkCutOff(): boolean {
  const body = document.createElement('div');
  body.className = 'page-body';
  body.dataset['long'] = '';
  body.innerHTML = '<div class="block" data-kind="paragraph" data-selvedge="held"></div>';
  // Outside of the editor, which removes foreign attributes.
  document.querySelector('.page-column')?.prepend(body);
  const { contentVisibility, overflowClipMargin } = getComputedStyle(body.firstElementChild ?? body);
  body.remove();
  // Not a number where the property is unknown.
  return contentVisibility === 'auto' && !(Number.parseFloat(overflowClipMargin) >= 20);
}
