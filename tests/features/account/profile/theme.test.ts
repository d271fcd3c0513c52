// The theme of the device, which another tab may change.
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

test('the app follows it', () => {
  const { app, setThemeElsewhere } = appFixture();
  setThemeElsewhere('dark');
  expect(app.store.get(app.themeAtom)).toBe('dark');
});
