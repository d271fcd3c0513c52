// Decodes the smaller versions that this device makes.
import { expect, test } from 'vitest';
import { pictureMaker } from '../../../src/platform/browser/picture-maker.ts';

/** Noise, like a photo, so that a smaller picture has fewer bytes. */
async function drawn(width: number, height: number): Promise<Blob> {
  const canvas = new OffscreenCanvas(width, height);
  const drawing = canvas.getContext('2d');
  for (let at = 0; at < 4_000; at++) {
    if (drawing !== null) drawing.fillStyle = `hsl(${(at * 137) % 360} 80% ${(at * 29) % 90}%)`;
    drawing?.fillRect((at * 211) % width, (at * 307) % height, 40, 25);
  }
  return canvas.convertToBlob({ type: 'image/jpeg', quality: 1 });
}

async function sizesOf(blob: Blob) {
  const scaled = await pictureMaker.make(blob);
  const parts = (scaled?.parts ?? []).map(async ({ version, blob: part }) => {
    const { width, height } = await createImageBitmap(part);
    return [version, width, height];
  });
  return Promise.all(parts);
}

test('a wide picture is scaled to the page width, and a long screenshot stays readable', async () => {
  expect(await sizesOf(await drawn(2400, 500))).toEqual([['small', 1536, 320]]);
  expect(await sizesOf(await drawn(800, 3000))).toEqual([]);
  const long = await sizesOf(await drawn(1080, 7000));
  expect(long).toEqual([['small', expect.any(Number), expect.any(Number)]]);
  expect(Number(long[0]?.[1])).toBeGreaterThan(800);
});
