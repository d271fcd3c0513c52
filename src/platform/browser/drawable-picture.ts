// Whether a page may draw a picture, decided before the browser decodes it: a file of a few kilobytes from someone else
// may decode to gigabytes and end the tab.
import { pictureSize } from '../../lib/picture-size.ts';
import { MAX_PICTURE_PIXELS } from '../../protocol/attachment.ts';

/** Enough for the size in almost every picture. Metadata in front of it may be longer. */
const HEAD_BYTES = 64 * 1024;

/** False for everything that is not a picture of a known format and of a bearable size. */
export async function isDrawable(file: Blob): Promise<boolean> {
  const sizeIn = async (part: Blob) => pictureSize(new Uint8Array(await part.arrayBuffer()));
  const size = (await sizeIn(file.slice(0, HEAD_BYTES))) ?? (await sizeIn(file));
  return size !== null && size.width * size.height <= MAX_PICTURE_PIXELS;
}
