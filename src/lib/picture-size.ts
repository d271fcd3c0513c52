// Reads how many pixels a picture has from the bytes of its file, without decoding it: a few kilobytes can decode to
// gigabytes. If a format states a size twice, the larger one counts.

export type PictureSize = { readonly width: number; readonly height: number };

/** Null if the bytes are no PNG, JPEG, GIF, WebP or AVIF, or if they do not say the size. */
export function pictureSize(bytes: Uint8Array): PictureSize | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    const size = READERS.find(({ isFormat }) => isFormat(bytes))?.read(view) ?? null;
    return size !== null && size.width > 0 && size.height > 0 ? size : null;
  } catch (error) {
    // The file ends too early.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

type Reader = {
  readonly isFormat: (bytes: Uint8Array) => boolean;
  readonly read: (view: DataView) => PictureSize | null;
};

const textAt = (bytes: Uint8Array, at: number, length: number): string =>
  String.fromCharCode(...bytes.subarray(at, at + length));

const READERS: readonly Reader[] = [
  { isFormat: (bytes) => textAt(bytes, 0, 8) === '\x89PNG\r\n\x1a\n', read: readPng },
  { isFormat: (bytes) => textAt(bytes, 0, 3) === '\xff\xd8\xff', read: readJpeg },
  { isFormat: (bytes) => /^GIF8[79]a$/.test(textAt(bytes, 0, 6)), read: readGif },
  { isFormat: (bytes) => /^RIFF[^]{4}WEBPVP8[ LX]$/.test(textAt(bytes, 0, 16)), read: readWebp },
  { isFormat: (bytes) => textAt(bytes, 4, 4) === 'ftyp', read: readAvif },
];

function readPng(view: DataView): PictureSize | null {
  const IHDR = 0x49484452;
  return view.getUint32(12) === IHDR ? { width: view.getUint32(16), height: view.getUint32(20) } : null;
}

/** Walks the segments up to the first scan. */
function readJpeg(view: DataView): PictureSize | null {
  let size: PictureSize | null = null;
  for (let at = 2; ;) {
    const marker = view.getUint8(at + 1);
    // Decoders skip fill bytes, and others that do not belong here.
    if (view.getUint8(at) !== 0xff || marker === 0xff) {
      at += 1;
      continue;
    }
    if (marker === START_OF_SCAN) return size;
    // These have no length.
    if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)) {
      at += 2;
      continue;
    }
    if (isStartOfFrame(marker)) size = larger(size, { width: view.getUint16(at + 7), height: view.getUint16(at + 5) });
    at += 2 + Math.max(2, view.getUint16(at + 2));
  }
}

const START_OF_SCAN = 0xda;
/** The markers C0 to CF begin a frame, except three that begin a table. */
const isStartOfFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

/** Browsers enlarge the canvas if the first frame is larger. */
function readGif(view: DataView): PictureSize | null {
  const screen = { width: view.getUint16(6, true), height: view.getUint16(8, true) };
  const flags = view.getUint8(10);
  let at = 13 + (flags & 0x80 ? 3 * 2 ** ((flags & 0x07) + 1) : 0);
  while (view.getUint8(at) === 0x21) {
    at += 2;
    while (view.getUint8(at) !== 0) at += 1 + view.getUint8(at);
    at += 1;
  }
  if (view.getUint8(at) !== 0x2c) return null;
  return larger(screen, {
    width: view.getUint16(at + 1, true) + view.getUint16(at + 5, true),
    height: view.getUint16(at + 3, true) + view.getUint16(at + 7, true),
  });
}

function readWebp(view: DataView): PictureSize | null {
  const kind = String.fromCharCode(view.getUint8(15));
  if (kind === 'X') return { width: 1 + uint24(view, 24), height: 1 + uint24(view, 27) };
  if (kind === 'L') {
    const bits = view.getUint32(21, true);
    return { width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff) };
  }
  return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
}

const uint24 = (view: DataView, at: number): number => view.getUint16(at, true) + 2 ** 16 * view.getUint8(at + 2);

/** Boxes that hold other boxes, and how many bytes come before those. */
const CONTAINERS: Readonly<Record<string, number>> = { meta: 4, iprp: 0, ipco: 0, moov: 0, trak: 0 };

/** The largest of all images in the file: a grid is larger than its tiles, and a film has a size of its own. */
function readAvif(view: DataView): PictureSize | null {
  if (!/avi[fs]/.test(textAt(bytesOf(view), 8, Math.min(view.getUint32(0), 256) - 8))) return null;
  let size: PictureSize | null = null;
  const walk = (from: number, end: number) => {
    for (let at = from; at + 8 <= end;) {
      const short = view.getUint32(at);
      const head = short === 1 ? 16 : 8;
      const length = short === 1 ? Number(view.getBigUint64(at + 8)) : short === 0 ? end - at : short;
      if (length < head) return;
      const kind = textAt(bytesOf(view), at + 4, 4);
      const body = at + head;
      const inside = CONTAINERS[kind];
      if (inside !== undefined) walk(body + inside, Math.min(end, at + length));
      if (kind === 'ispe') size = larger(size, { width: view.getUint32(body + 4), height: view.getUint32(body + 8) });
      if (kind === 'tkhd') {
        // In 1/65536 pixels. Version 1 has longer times in front.
        const where = body + (view.getUint8(body) === 1 ? 88 : 76);
        size = larger(size, { width: view.getUint16(where), height: view.getUint16(where + 4) });
      }
      at += length;
    }
  };
  walk(0, view.byteLength);
  return size;
}

const bytesOf = (view: DataView): Uint8Array => new Uint8Array(view.buffer, view.byteOffset, view.byteLength);

const larger = (one: PictureSize | null, other: PictureSize): PictureSize => ({
  width: Math.max(one?.width ?? 0, other.width),
  height: Math.max(one?.height ?? 0, other.height),
});
