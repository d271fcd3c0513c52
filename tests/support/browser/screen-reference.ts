// Compares the screen with a reviewed reference picture. Fonts come from our own server and motion is off, so only
// antialiasing differs between machines: a pixel differs from a distance of 0.2 on pixelmatch's scale (edges stay below), and
// 2 % of the pixels may differ. Sizes may differ by 2 px of rounding.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import pixelmatch from 'pixelmatch';
import { PNG } from 'pngjs';
import { ROOT } from '../../../scripts/root.mjs';

export const THRESHOLD = 0.2;
export const MOST_DIFFERING = 0.02;
const MOST_SIZE_PX = 2;

const REFERENCES = join(ROOT, 'tests', 'e2e', 'screens');
/** The actual picture, for looking into a failure; not under version control. */
const FAILED = join(REFERENCES, 'failed');

/** `WEFT_SCREENS=renew` overwrites all references. */
const IS_RENEWING = process.env['WEFT_SCREENS'] === 'renew';
const IS_CI = process.env['CI'] !== undefined && process.env['CI'] !== '';

/** Null if the screen matches, else what differs. A missing reference is written and reported as a difference. */
export function compareScreen(name: string, bytes: Buffer): string | null {
  const path = join(REFERENCES, `${name}.png`);
  const reference = IS_RENEWING ? null : readReference(path);
  if (reference === null) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, bytes);
    return IS_CI && !IS_RENEWING ? `${name}: there was no reference; it is written, look at it and commit it` : null;
  }
  const wrong = differenceOf(reference, PNG.sync.read(bytes));
  if (wrong === null) return null;
  const failed = join(FAILED, `${name}.png`);
  mkdirSync(dirname(failed), { recursive: true });
  writeFileSync(failed, bytes);
  return `${name}: ${wrong}`;
}

export function differenceOf(reference: PNG, now: PNG): string | null {
  const [width, height] = [Math.min(reference.width, now.width), Math.min(reference.height, now.height)];
  const isOtherSize =
    Math.max(reference.width, now.width) - width > MOST_SIZE_PX ||
    Math.max(reference.height, now.height) - height > MOST_SIZE_PX;
  if (isOtherSize) return `${now.width} × ${now.height} px, was ${reference.width} × ${reference.height}`;
  const [before, after] = [cut(reference, width, height), cut(now, width, height)];
  const differing = pixelmatch(before.data, after.data, undefined, width, height, { threshold: THRESHOLD });
  const share = differing / (width * height);
  return share > MOST_DIFFERING ? `${(share * 100).toFixed(1)} % of its pixels differ` : null;
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
