// Decodes the smaller versions that this device makes.
import { expect, test } from 'vitest';
import { pictureSize } from '../../../src/lib/picture-size.ts';
import { objectUrls } from '../../../src/platform/browser/object-urls.ts';
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

const MAGIC = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

/** A PNG that a browser decodes: its head states this size, and its rows are a few kilobytes of zeros. */
async function blankPng(width: number, height: number): Promise<Blob> {
  const chunk = (kind: string, data: Uint8Array) => {
    const body = new Uint8Array([...new TextEncoder().encode(kind), ...data]);
    return [...uint32(data.length), ...body, ...uint32(crc(body))];
  };
  const rows = new Blob([new Uint8Array(height * (1 + Math.ceil(width / 8)))]);
  const packed = await new Response(rows.stream().pipeThrough(new CompressionStream('deflate'))).arrayBuffer();
  const head = Uint8Array.from([...uint32(width), ...uint32(height), 1, 0, 0, 0, 0]);
  const file = [
    ...MAGIC,
    ...chunk('IHDR', head),
    ...chunk('IDAT', new Uint8Array(packed)),
    ...chunk('IEND', new Uint8Array()),
  ];
  return new Blob([Uint8Array.from(file)], { type: 'image/png' });
}

test('no smaller version has more bytes than the picture, as the server takes none', async () => {
  expect(await sizesOf(await blankPng(4_200, 200))).toEqual([]);
});

const uint32 = (value: number) => [value >>> 24, (value >>> 16) & 0xff, (value >>> 8) & 0xff, value & 0xff];

function crc(bytes: Uint8Array): number {
  let rest = 0xffffffff;
  for (const byte of bytes) {
    rest ^= byte;
    for (let bit = 0; bit < 8; bit++) rest = (rest >>> 1) ^ (rest & 1 ? 0xedb88320 : 0);
  }
  return ~rest >>> 0;
}

test('a picture with too many pixels gets no address, though its file is small, and is added as a file', async () => {
  const [fits, tooMany] = [await blankPng(8_000, 8_000), await blankPng(8_001, 8_000)];
  expect(tooMany.size).toBeLessThan(20_000);
  const address = await objectUrls.create(fits);
  expect(address).toMatch(/^blob:/);
  if (address !== null) objectUrls.revoke(address);
  expect(await objectUrls.create(tooMany)).toBeNull();
  expect(await pictureMaker.make(tooMany)).toBeNull();
});

test('a file that is no picture of the five formats gets no address, whatever type it claims', async () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>';
  for (const type of ['image/svg+xml', 'image/png'])
    expect(await objectUrls.create(new Blob([svg], { type }))).toBeNull();
});

test('the formats that browsers write are recognized, with a profile in front of the size', async () => {
  const canvas = new OffscreenCanvas(30, 20);
  canvas.getContext('2d')?.fillRect(0, 0, 9, 9);
  for (const type of ['image/png', 'image/jpeg', 'image/webp']) {
    const file = await canvas.convertToBlob({ type });
    expect([type, file.type, pictureSize(new Uint8Array(await file.arrayBuffer()))]).toEqual([
      type,
      type,
      { width: 30, height: 20 },
    ]);
  }
  const jpeg = new Uint8Array(await (await canvas.convertToBlob({ type: 'image/jpeg' })).arrayBuffer());
  const profile = Uint8Array.from([0xff, 0xe2, 0xff, 0xff, ...new Uint8Array(0xffff - 2)]);
  const long = new Blob([jpeg.subarray(0, 2), profile, profile, jpeg.subarray(2)], { type: 'image/jpeg' });
  expect(await pictureMaker.make(long)).toMatchObject({ width: 30, height: 20 });
});
