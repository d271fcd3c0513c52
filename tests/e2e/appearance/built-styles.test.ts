// Checks the style sheets of the built app in dist/.
import { readFile, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FONTS } from '../../../scripts/build/cut-fonts.ts';
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

test('the two fonts of a first visit are cut to at most 108 kB', async () => {
  const { files } = await readStyles();
  const first = files.filter((file) => /-latin-(?:opsz|wght)-normal-.*\.woff2$/.test(file));
  const sizes = await Promise.all(first.map(async (file) => (await stat(join(ASSETS, file))).size));
  expect(first).toHaveLength(2);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(108_000);
});

test('the styles use only weights and sizes that the fonts have', async () => {
  const { css } = await readStyles();
  const literata = FONTS.literata.axes;
  const commissioner = FONTS.commissioner.axes;
  const fonts = Array.from(css.matchAll(/(\d{3}|var\(--w-text\)) (?:calc\()?([\d.]+)px[^;}]*?--face-(text|ui)/g));
  const weightsOf = (face: string) => fonts.flatMap(([, weight = '', , of]) => (of === face ? weight : []));
  const ofText = [
    ...weightsOf('text'),
    ...Array.from(css.matchAll(/--w-(?:text|strong):(\d+)/g), ([, weight]) => weight),
  ];
  const ofAny = Array.from(css.matchAll(/[;{]font-weight:(\d+)[;}]/g), ([, weight]) => weight);
  const numbers = (texts: readonly (string | undefined)[]) =>
    texts.map(Number).filter((weight) => !Number.isNaN(weight));
  const isIn =
    ({ min, max }: { min: number; max: number }) =>
    (value: number) =>
      value >= min && value <= max;
  expect(ofText.length).toBeGreaterThan(40);
  expect(numbers([...ofText, ...ofAny]).filter((weight) => !isIn(literata.wght)(weight))).toEqual([]);
  expect(numbers([...weightsOf('ui'), ...ofAny]).filter((weight) => !isIn(commissioner.wght)(weight))).toEqual([]);
  const sizes = fonts.flatMap(([, , size, of]) => (of === 'text' ? Number(size) : []));
  expect(sizes.filter((size) => !isIn(literata.opsz)(size))).toEqual([]);
});

test('until Literata has come, the text is in Georgia of its width, in every weight and style', async () => {
  const { css } = await readStyles();
  const faces = css.match(/@font-face\{[^}]*Literata Fallback[^}]*\}/g) ?? [];
  expect(faces).toHaveLength(4);
  expect(faces.filter((face) => !/size-adjust:.*ascent-override:.*descent-override:/.test(face))).toEqual([]);
  expect(css).toMatch(/--face-text:"?Literata Variable"?, ?"?Literata Fallback"?,/);
});

test('rules for right-to-left text use :dir(), not :lang() of languages that no page names', async () => {
  const { css } = await readStyles();
  expect(css).toContain(':dir(rtl)');
  expect(css).not.toContain(':lang(');
});
