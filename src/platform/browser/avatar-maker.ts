// Makes the picture of a profile from a file: the middle of it as a square of at most 512 pixels a side.
import { isDrawable } from './drawable-picture.ts';

const SIDE = 512;
/** The limit of the bucket `avatars`. */
const MAX_BYTES = 1024 * 1024;
const QUALITY = 0.86;

/** Null if the browser cannot decode the file, or if it has too many pixels for the browser or its memory. */
export async function makeAvatar(file: Blob): Promise<Blob | null> {
  if (!(await isDrawable(file))) return null;
  const bitmap = await createImageBitmap(file).catch(() => null);
  if (bitmap === null) return null;
  try {
    const from = Math.min(bitmap.width, bitmap.height);
    const side = Math.min(from, SIDE);
    const canvas = document.createElement('canvas');
    canvas.width = side;
    canvas.height = side;
    const context = canvas.getContext('2d');
    if (context === null) return null;
    context.imageSmoothingQuality = 'high';
    context.drawImage(bitmap, (bitmap.width - from) / 2, (bitmap.height - from) / 2, from, from, 0, 0, side, side);
    // A browser that cannot write WebP writes PNG instead, and a photograph may be too large as one.
    const picture = await written(canvas, 'image/webp');
    return picture !== null && picture.size > MAX_BYTES ? await written(canvas, 'image/jpeg') : picture;
  } catch {
    // Not enough memory for so many pixels.
    return null;
  } finally {
    bitmap.close();
  }
}

const written = (canvas: HTMLCanvasElement, type: string): Promise<Blob | null> =>
  new Promise((resolve) => canvas.toBlob(resolve, type, QUALITY));
