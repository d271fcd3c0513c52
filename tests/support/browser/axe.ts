// What axe-core finds wrong on a page as it is now: in the light theme all its rules, in the dark one the contrast, which is
// all that a theme changes. And what moves although the person asked for no motion.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type axe from 'axe-core';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

declare global {
  interface Window {
    axe?: typeof axe;
  }
}

/** One line for each thing that is wrong; `where` begins it. `within`: only there, where the rest was looked at before. */
export async function wrongOn(page: Page, where: string, within = 'html'): Promise<readonly string[]> {
  await page.emulateMedia({ colorScheme: 'light' });
  const light = await violations(page, within, RULES);
  await page.emulateMedia({ colorScheme: 'dark' });
  const dark = await violations(page, within, ['color-contrast']);
  await page.emulateMedia({ colorScheme: 'light' });
  const moving = await page.evaluate(movesOf);
  return [
    ...light.map((one) => `${where}, light: ${one}`),
    ...dark.map((one) => `${where}, dark: ${one}`),
    ...moving.map((one) => `${where} moves: ${one}`),
  ];
}

async function violations(page: Page, within: string, rules: readonly string[]): Promise<readonly string[]> {
  if (!(await page.evaluate(() => window.axe !== undefined))) await page.evaluate(AXE);
  const found = await page.evaluate(
    async ([selector, names]) => {
      const runOnly: axe.RunOnly =
        names.length === 1 ? { type: 'rule', values: names } : { type: 'tag', values: names };
      const places = Array.from(document.querySelectorAll(selector));
      const result = await window.axe?.run(places, { runOnly, resultTypes: ['violations'] });
      return (result?.violations ?? []).flatMap(({ id, nodes }) =>
        nodes.map(({ target, any }) => ({ rule: id, at: target.join(' '), why: any[0]?.message ?? '' })),
      );
    },
    [within, Array.from(rules)] as const,
  );
  return found.filter(({ rule, at }) => !isExempt(rule, at)).map(({ rule, at, why }) => `${rule}: ${at} (${why})`);
}

/**
 * Which headings a page has, and in which order, is its writer's to say. Base UI's guards beside a menu hand the focus on at
 * once: nobody ever stands on one.
 */
const isExempt = (rule: string, at: string): boolean =>
  (rule === 'heading-order' && at.includes('[data-kind="heading"]')) ||
  (rule === 'aria-hidden-focus' && at.includes('data-base-ui-focus-guard'));

/** Runs in the page: animations that go through states, other than by a jump at their end or by the person's scrolling. */
function movesOf(): readonly string[] {
  return document.getAnimations().flatMap((animation) => {
    const { effect, timeline } = animation;
    if (!(effect instanceof KeyframeEffect) || !(timeline instanceof DocumentTimeline)) return [];
    const { duration } = effect.getComputedTiming();
    const isJump = effect.getKeyframes().every(({ easing }) => easing.startsWith('steps('));
    if (isJump || duration === 0) return [];
    return [`${effect.target?.className ?? ''}${effect.pseudoElement ?? ''}`];
  });
}
