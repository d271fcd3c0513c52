import { expect, test } from 'vitest';
import { pictureSize } from '../../src/lib/picture-size.ts';

/** Bytes from texts (one byte per character) and numbers. */
const bytes = (...parts: readonly (string | number | readonly number[])[]): Uint8Array =>
  Uint8Array.from(
    parts.flatMap((part) =>
      typeof part === 'string' ? Array.from(part, (character) => character.charCodeAt(0)) : [part].flat(),
    ),
  );
const u16 = (value: number) => [value >> 8, value & 0xff];
const u32 = (value: number) => [...u16(value >>> 16), ...u16(value & 0xffff)];
const le16 = (value: number) => u16(value).toReversed();
const le24 = (value: number) => u32(value).toReversed().slice(0, 3);
const segment = (marker: number, body: readonly number[]) => [0xff, marker, ...u16(body.length + 2), ...body];
const frame = (marker: number, width: number, height: number) =>
  segment(marker, [8, ...u16(height), ...u16(width), 1, 1, 0x11, 0]);
const SCAN = [0xff, 0xda, 0, 2];
const box = (kind: string, ...body: readonly (string | number | readonly number[])[]): number[] => {
  const inner = Array.from(bytes(...body));
  return [...u32(inner.length + 8), ...bytes(kind), ...inner];
};
const ispe = (width: number, height: number) => box('ispe', u32(0), u32(width), u32(height));
const avif = (...boxes: readonly (readonly number[])[]) =>
  bytes(box('ftyp', 'avif', u32(0), 'mif1avif'), ...boxes, box('mdat', 'x'));
const properties = (...boxes: readonly (readonly number[])[]) =>
  box('meta', u32(0), box('hdlr', u32(0)), box('iprp', box('ipco', boxes.flat())));
const gif = (width: number, height: number, first: readonly [x: number, y: number, width: number, height: number]) =>
  bytes(
    'GIF89a',
    le16(width),
    le16(height),
    0x80,
    0,
    0,
    Array(6).fill(0),
    [0x21, 0xfe, 2, 1, 1, 0],
    [0x2c, ...first.flatMap(le16), 0],
  );
const webp = (kind: string, ...body: readonly (number | readonly number[])[]) =>
  bytes('RIFF', u32(0), `WEBPVP8${kind}`, u32(0), ...body);

test.each<[string, Uint8Array, readonly [number, number]]>([
  ['PNG', bytes('\x89PNG\r\n\x1a\n', u32(13), 'IHDR', u32(70_000), u32(3)), [70_000, 3]],
  ['JPEG', bytes('\xff\xd8', segment(0xe0, [1, 2]), frame(0xc0, 640, 480), SCAN), [640, 480]],
  ['progressive JPEG', bytes('\xff\xd8', segment(0xc4, [9]), frame(0xc2, 5, 65_535), SCAN), [5, 65_535]],
  ['JPEG with fill bytes', bytes('\xff\xd8\xff\xff', segment(0xe1, [1]), 0, frame(0xc1, 7, 8), SCAN), [7, 8]],
  ['JPEG with two frames', bytes('\xff\xd8', frame(0xc0, 9, 1), frame(0xc2, 2, 8), SCAN), [9, 8]],
  ['GIF', gif(300, 200, [0, 0, 300, 200]), [300, 200]],
  ['GIF with a larger first frame', gif(1, 1, [5, 6, 65_000, 60_000]), [65_005, 60_006]],
  ['WebP with loss', webp(' ', [0, 0, 0, 0x9d, 0x01, 0x2a], le16(400), le16(300)), [400, 300]],
  ['WebP without loss', webp('L', 0x2f, u32(99 | (49 << 14)).toReversed()), [100, 50]],
  ['extended WebP', webp('X', u32(0), le24(16_383), le24(9)), [16_384, 10]],
  ['AVIF', avif(properties(ispe(1200, 800))), [1200, 800]],
  ['AVIF of tiles', avif(properties(ispe(512, 512), ispe(40_000, 30_000))), [40_000, 30_000]],
  [
    'AVIF film',
    avif(box('moov', box('trak', box('tkhd', [0, 0, 0, 0], Array(72).fill(0), u16(640), u16(0), u16(360), u16(0))))),
    [640, 360],
  ],
])('reads the size of a %s', (_, file, [width, height]) => {
  expect(pictureSize(file)).toEqual({ width, height });
  for (let length = 0; length < file.length; length++) {
    const found = pictureSize(file.subarray(0, length));
    expect(found === null || found.width > 0).toBe(true);
  }
});

test.each<[string, Uint8Array]>([
  ['nothing', bytes()],
  ['a drawing', bytes('<svg width="1" height="1"/>')],
  ['a bitmap', bytes('BM', u32(0), u32(0), u32(54))],
  ['a PNG of no height', bytes('\x89PNG\r\n\x1a\n', u32(13), 'IHDR', u32(1), u32(0))],
  ['a JPEG whose height follows later', bytes('\xff\xd8', frame(0xc0, 640, 0), SCAN)],
  ['a JPEG without a frame', bytes('\xff\xd8', segment(0xe0, [1]), SCAN)],
  ['an HEIC', bytes(box('ftyp', 'heic', u32(0), 'mif1heic'), properties(ispe(1, 1)))],
  ['an AVIF without a size', avif(properties())],
  [
    'boxes without end',
    bytes(
      box('ftyp', 'avif', u32(0)),
      Array(50_000)
        .fill([0, 0, 0, 0, ...bytes('moov')])
        .flat(),
    ),
  ],
])('says nothing about %s', (_, file) => {
  expect(pictureSize(file)).toBeNull();
});
