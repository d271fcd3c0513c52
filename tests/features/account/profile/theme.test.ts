// The theme of the device, which another tab may change.
import { readFileSync } from 'node:fs';
import { afterEach, expect, test } from 'vitest';
import { browserTheme } from '../../../../src/platform/browser/theme-choice.ts';
import { appFixture } from '../../../support/app/app-fixture.ts';

afterEach(() => browserTheme.set('system'));

test('a theme that another tab chose is shown here at once', () => {
  const seen: string[] = [];
  browserTheme.onChange(() => void seen.push(browserTheme.get()));
  const change = (key: string, newValue: string | null) =>
    dispatchEvent(Object.assign(new Event('storage'), { key, newValue }));
  change('weft:theme', 'dark');
  expect(document.documentElement.dataset['theme']).toBe('dark');
  change('other', 'light');
  change('weft:theme', 'light');
  change('weft:theme', null);
  expect(document.documentElement.dataset['theme']).toBeUndefined();
  expect(seen).toEqual(['dark', 'light', 'system']);
});

test('the bar of the browser has the color of the chosen theme', () => {
  document.head.innerHTML =
    readFileSync('index.html', 'utf8')
      .match(/<meta name="theme-color"[^>]*>/g)
      ?.join('') ?? '';
  const bars = () => Array.from(document.querySelectorAll('meta'), (bar) => [bar.content, bar.getAttribute('media')]);
  const bySystem = bars();
  expect(bySystem.map(([, media]) => media)).toEqual(['(prefers-color-scheme: light)', '(prefers-color-scheme: dark)']);
  const [light, dark] = bySystem.map(([color]) => color);
  browserTheme.set('dark');
  expect(bars()).toEqual([
    [light, 'not all'],
    [dark, 'all'],
  ]);
  browserTheme.set('system');
  expect(bars()).toEqual(bySystem);
});

test('the app follows it', () => {
  const { app, setThemeElsewhere } = appFixture();
  setThemeElsewhere('dark');
  expect(app.store.get(app.themeAtom)).toBe('dark');
});
