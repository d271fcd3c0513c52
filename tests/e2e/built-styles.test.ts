// What the build makes of the style sheets, in the app in dist/.
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../../scripts/root.mjs';

const ASSETS = join(ROOT, 'dist', 'assets');

/** All style sheets of the build, and the fonts they name. */
async function readStyles() {
  const files = await readdir(ASSETS);
  const sheets = files.filter((file) => file.endsWith('.css'));
  const css = (await Promise.all(sheets.map((file) => readFile(join(ASSETS, file), 'utf8')))).join('\n');
  const fonts = Array.from(css.matchAll(/@font-face\{[^}]*\}/g), ([face]) =>
    Array.from(face.matchAll(/url\(["']?([^)"']*)/g), ([, address = '']) => address),
  ).flat();
  return { files, css, fonts };
}

test('every font is a file of its own: the policy of a page lets none stand in a style sheet', async () => {
  const { files, fonts } = await readStyles();
  expect(fonts.some((address) => address.includes('KaTeX_Size3'))).toBe(true);
  expect(fonts.filter((address) => !files.includes(address.slice(address.lastIndexOf('/') + 1)))).toEqual([]);
});

test('what depends on the direction of text is asked of the text, not of a language that nobody names', async () => {
  const { css } = await readStyles();
  expect(css).toContain(':dir(rtl)');
  expect(css).not.toContain(':lang(');
});
