// Compares a screenshot with a reviewed reference picture. Fonts come from our own server and motion is off, so only
// antialiasing differs between machines. A pixel counts as different above 0.2 on pixelmatch's scale, which antialiased edges
// do not reach; 2 % of the pixels may differ, and sizes by 2 px because of rounding.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import pixelmatch from 'pixelmatch';
import { PNG } from 'pngjs';
import { ROOT } from '../../../scripts/root.mjs';

export const THRESHOLD = 0.2;
export const MAX_DIFFERENT_SHARE = 0.02;
const MAX_SIZE_DIFFERENCE_PX = 2;

const REFERENCES_FOLDER = join(ROOT, 'tests', 'e2e', 'screens');
/** Screenshots of failed comparisons go here. Git ignores it. */
const FAILED_FOLDER = join(REFERENCES_FOLDER, 'failed');

/** `WEFT_SCREENS=renew` overwrites all reference pictures. */
const IS_RENEWING = process.env['WEFT_SCREENS'] === 'renew';
const IS_CI = process.env['CI'] !== undefined && process.env['CI'] !== '';

/** Null if the picture matches, else the difference. A missing reference is written, which counts as a failure in CI. */
export function compareScreen(name: string, now: PNG): string | null {
  const path = join(REFERENCES_FOLDER, `${name}.png`);
  const reference = IS_RENEWING ? null : readReference(path);
  if (reference === null) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, PNG.sync.write(now));
    return IS_CI && !IS_RENEWING
      ? `${name}: there was no reference picture. It is written now: look at it and commit it`
      : null;
  }
  const wrong = differenceOf(reference, now);
  if (wrong === null) return null;
  const failed = join(FAILED_FOLDER, `${name}.png`);
  mkdirSync(dirname(failed), { recursive: true });
  writeFileSync(failed, PNG.sync.write(now));
  return `${name}: ${wrong}`;
}

/** Null if the pictures match, else the difference in words. */
export function differenceOf(reference: PNG, now: PNG): string | null {
  const [width, height] = [Math.min(reference.width, now.width), Math.min(reference.height, now.height)];
  const isOtherSize =
    Math.max(reference.width, now.width) - width > MAX_SIZE_DIFFERENCE_PX ||
    Math.max(reference.height, now.height) - height > MAX_SIZE_DIFFERENCE_PX;
  if (isOtherSize) return `${now.width} × ${now.height} px, was ${reference.width} × ${reference.height}`;
  const [before, after] = [cut(reference, width, height), cut(now, width, height)];
  const differing = pixelmatch(before.data, after.data, undefined, width, height, { threshold: THRESHOLD });
  const share = differing / (width * height);
  return share > MAX_DIFFERENT_SHARE ? `${(share * 100).toFixed(1)} % of its pixels differ` : null;
}

function readReference(path: string): PNG | null {
  try {
    return PNG.sync.read(readFileSync(path));
  } catch {
    return null;
  }
}

function cut(picture: PNG, width: number, height: number): PNG {
  const part = new PNG({ width, height });
  PNG.bitblt(picture, part, 0, 0, width, height, 0, 0);
  return part;
}
