// Checks the style sheets of the built app in dist/.
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../../../scripts/root.mjs';

const ASSETS = join(ROOT, 'dist', 'assets');

/** All style sheets of the build, and the fonts they reference. */
async function readStyles() {
  const files = await readdir(ASSETS);
  const sheets = files.filter((file) => file.endsWith('.css'));
  const css = (await Promise.all(sheets.map((file) => readFile(join(ASSETS, file), 'utf8')))).join('\n');
  const fonts = Array.from(css.matchAll(/@font-face\{[^}]*\}/g), ([face]) =>
    Array.from(face.matchAll(/url\(["']?([^)"']*)/g), ([, address = '']) => address),
  ).flat();
  return { files, css, fonts };
}

test('every font is a separate file, because the Content-Security-Policy allows no data: fonts', async () => {
  const { files, fonts } = await readStyles();
  expect(fonts.some((address) => address.includes('KaTeX_Size3'))).toBe(true);
  expect(fonts.filter((address) => !files.includes(address.slice(address.lastIndexOf('/') + 1)))).toEqual([]);
});

test('rules for right-to-left text use :dir(), not :lang() of languages that no page names', async () => {
  const { css } = await readStyles();
  expect(css).toContain(':dir(rtl)');
  expect(css).not.toContain(':lang(');
});
