// Smaller versions of a picture, made on this device: one for the page, one to look at when it is very large. Moving
// pictures keep moving: of a GIF none is made.
import { type AttachmentVersion, scaleOf } from '../../protocol/attachment.ts';

const QUALITY = 0.86;
/** What browsers can write; a PNG stays one, for its sharp edges and its transparency. */
const typeFor = (type: string) => (type === 'image/png' ? 'image/png' : 'image/webp');

export const pictureMaker = {
  /** Null when the browser cannot read it. */
  async make(file: Blob) {
    const bitmap = await createImageBitmap(file).catch(() => null);
    if (bitmap === null) return null;
    try {
      const { width, height } = bitmap;
      const parts: { readonly version: AttachmentVersion; readonly blob: Blob }[] = [];
      if (file.type !== 'image/gif') {
        const [view, small] = [scaleOf('view', width, height), scaleOf('small', width, height)];
        if (view < 1) parts.push({ version: 'view', blob: await resize(bitmap, view, file.type) });
        if (small < 1) {
          const blob = await resize(bitmap, small, file.type);
          // Of a drawing with few colours the smaller picture may be the larger file.
          if (blob.size < file.size) parts.push({ version: 'small', blob });
        }
      }
      return { width, height, parts };
    } catch {
      // No memory for so many pixels: it is shown as it is.
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
  // Browsers that cannot write a type write PNG instead, and say so in the type.
  if (blob === null) throw new Error('the canvas could not be written');
  return blob;
}

export const objectUrls = {
  create: (blob: Blob): string => URL.createObjectURL(blob),
  revoke: (address: string): void => URL.revokeObjectURL(address),
};
