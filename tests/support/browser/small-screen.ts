// Checks for small screens: nothing overflows, and touch targets are large enough.
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

export async function expectNoOverflow(page: Page, where: string): Promise<void> {
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect([where, Math.max(0, overflow)]).toEqual([where, 0]);
}

/**
 * Visible controls that are too small to touch: points around their centre must hit them, within 44 px in one direction and
 * 40 px in the other. Links in text are exempt: they have the height of their line.
 */
export function smallTargets(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const controls = document.querySelectorAll<HTMLElement>(
      'button, input, textarea:not(.page-title-field), select, a[href], [role="slider"], [role="separator"][tabindex]',
    );
    return Array.from(controls).flatMap((control) => {
      const box = control.getBoundingClientRect();
      const middle = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
      const hits = (dx: number, dy: number) => {
        const there = document.elementFromPoint(middle.x + dx, middle.y + dy);
        return there !== null && (control.contains(there) || there.closest('label')?.control === control);
      };
      const isInline = control.matches('.block-text a, p a, .text-link');
      if (box.width === 0 || isInline || control.closest('.sr-only') !== null || !hits(0, 0)) return [];
      const [wide, high] = [hits(-19, 0) && hits(19, 0), hits(0, -19) && hits(0, 19)];
      const [wider, higher] = [hits(-21, 0) && hits(21, 0), hits(0, -21) && hits(0, 21)];
      // The format bar at the bottom of a phone covers controls that can be scrolled out from under it.
      const foot = control.closest('.format-bar') === null ? document.querySelector('.format-bar') : null;
      const isUnderBar = middle.y > (foot?.getBoundingClientRect().top ?? innerHeight) - 22;
      const isNearEdge = middle.x < 22 || middle.x > innerWidth - 22 || middle.y > innerHeight - 22 || middle.y < 22;
      if ((wide && higher) || (wider && high) || isNearEdge || isUnderBar) return [];
      return [
        `${control.getAttribute('aria-label') ?? control.textContent} ${Math.round(box.width)} × ${Math.round(box.height)}`,
      ];
    });
  });
}
