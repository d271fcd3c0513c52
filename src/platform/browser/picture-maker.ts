// Makes smaller versions of a picture on this device: one for the page, and one for a full-size view of a very large
// picture. A GIF gets none, so that it stays animated.
import type { PictureMaker } from '../../ports/files.ts';
import { type AttachmentVersion, scaleOf } from '../../protocol/attachment.ts';
import { isDrawable } from './drawable-picture.ts';

const QUALITY = 0.86;
/** The format of the versions. A PNG stays one to keep its sharp edges. */
const typeFor = (type: string) => (type === 'image/png' ? 'image/png' : 'image/webp');

export const pictureMaker: PictureMaker = {
  /** Null if the browser cannot decode the file, or if it has too many pixels. */
  async make(file) {
    if (!(await isDrawable(file))) return null;
    const bitmap = await createImageBitmap(file).catch(() => null);
    if (bitmap === null) return null;
    try {
      const { width, height } = bitmap;
      const parts: { readonly version: AttachmentVersion; readonly blob: Blob }[] = [];
      if (file.type !== 'image/gif') {
        for (const version of ['view', 'small'] as const) {
          const scale = scaleOf(version, width, height);
          const blob = scale < 1 ? await resize(bitmap, scale, file.type) : null;
          // For a drawing with few colors the smaller picture may be the larger file, which the server would not take.
          if (blob !== null && blob.size <= file.size) parts.push({ version, blob });
        }
      }
      return { width, height, parts };
    } catch {
      // Not enough memory for so many pixels. Show the original instead.
      return { width: bitmap.width, height: bitmap.height, parts: [] };
    } finally {
      bitmap.close();
    }
  },
};

async function resize(bitmap: ImageBitmap, scale: number, type: string): Promise<Blob> {
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(bitmap.width * scale));
  canvas.height = Math.max(1, Math.round(bitmap.height * scale));
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('no canvas');
  context.imageSmoothingQuality = 'high';
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, typeFor(type), QUALITY));
  // A browser that cannot write a format writes PNG instead and sets the type accordingly.
  if (blob === null) throw new Error('the canvas could not be written');
  return blob;
}
