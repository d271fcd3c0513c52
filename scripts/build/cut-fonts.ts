// Cuts the variable fonts to the weights and optical sizes that the styles use: a third of their bytes is for others. All
// characters and features stay.
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import subsetFont from 'subset-font';
import type { Plugin } from 'vite';
import { ROOT } from '../root.mjs';

/** `files` are those that `src/ui/theme/fonts.css` imports. Text weighs 385 in the dark theme, and 72 is Literata's largest size. */
export const FONTS = {
  literata: { files: /-opsz-/, axes: { wght: { min: 385, max: 700 }, opsz: { min: 12, max: 72 } } },
  commissioner: { files: /-wght-/, axes: { wght: { min: 400, max: 700 } } },
};
const CUT = join(ROOT, 'node_modules', '.cache', 'weft-fonts');
/** The numbers under which a font names its license. */
const LICENSE = [13, 14];

export const cutFonts = (): Plugin => ({
  name: 'weft:cut-fonts',
  apply: 'build',
  // Before the build, and not after it, because a file's name has a hash of its contents.
  async config() {
    await mkdir(CUT, { recursive: true });
    for (const [font, { files, axes }] of Object.entries(FONTS)) {
      const folder = join(ROOT, 'node_modules', '@fontsource-variable', font, 'files');
      for (const file of (await readdir(folder)).filter((name) => files.test(name))) {
        const options = { keepAllGlyphs: true, variationAxes: axes, preserveNameIds: LICENSE } as const;
        await writeFile(join(CUT, file), await subsetFont(await readFile(join(folder, file)), undefined, options));
      }
    }
    const fonts = Object.keys(FONTS).join('|');
    return { resolve: { alias: [{ find: new RegExp(`^\\./files/(?=(?:${fonts})-)`), replacement: `${CUT}/` }] } };
  },
});
