// Runs axe-core on a page: all rules in the light theme, and only contrast in the dark one, because a theme changes nothing
// else. Also checks that its HTML is valid, and finds animations that run although the user asked for reduced motion.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type axe from 'axe-core';
import { HtmlValidate } from 'html-validate';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** The elements' allowed contents, and which attributes they may have; how a page is written says nothing of the live DOM. */
const HTML = new HtmlValidate({ extends: ['html-validate:standard'], rules: { 'input-attributes': 'error' } });

declare global {
  interface Window {
    axe?: typeof axe;
  }
}

/** One line for each finding, beginning with `where`. `within` limits the search to one element. */
export async function violationsOn(page: Page, where: string, within = 'html'): Promise<readonly string[]> {
  await page.emulateMedia({ colorScheme: 'light' });
  const light = await violations(page, within, RULES);
  await page.emulateMedia({ colorScheme: 'dark' });
  const dark = await violations(page, within, ['color-contrast']);
  await page.emulateMedia({ colorScheme: 'light' });
  const moving = await page.evaluate(runningAnimations);
  return [
    ...(await invalidHtmlOn(page)).map((one) => `${where}: ${one}`),
    ...light.map((one) => `${where}, light: ${one}`),
    ...dark.map((one) => `${where}, dark: ${one}`),
    ...moving.map((one) => `${where} moves: ${one}`),
  ];
}

async function invalidHtmlOn(page: Page): Promise<readonly string[]> {
  const html = await page.evaluate(() => document.documentElement.outerHTML);
  const { results } = await HTML.validateString(`<!doctype html>\n${html}`);
  return results.flatMap(({ messages }) =>
    messages.map(({ message, ruleId, selector }) => `${ruleId}: ${selector ?? ''} (${message})`),
  );
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
 * Findings that do not count: a page's author decides on the order of headings, and Base UI's focus guards beside a menu pass
 * the focus on at once.
 */
const isExempt = (rule: string, at: string): boolean =>
  (rule === 'heading-order' && at.includes('[data-kind="heading"]')) ||
  (rule === 'aria-hidden-focus' && at.includes('data-base-ui-focus-guard'));

/** Runs in the page. Lists animations with intermediate states, except those driven by scrolling. */
function runningAnimations(): readonly string[] {
  return document.getAnimations().flatMap((animation) => {
    const { effect, timeline } = animation;
    if (!(effect instanceof KeyframeEffect) || !(timeline instanceof DocumentTimeline)) return [];
    const { duration } = effect.getComputedTiming();
    const isJump = effect.getKeyframes().every(({ easing }) => easing.startsWith('steps('));
    if (isJump || duration === 0) return [];
    return [`${effect.target?.className ?? ''}${effect.pseudoElement ?? ''}`];
  });
}
