// Pictures and files of pages in Storage: their paths, types and sizes. The migrations have the same limits and types.
import type { DocumentId } from 'weft-sync/protocol/ids.ts';
import type { AttachmentId } from './ids.ts';

/** The bucket in Storage. */
export const ATTACHMENTS = 'attachments';
/** The header in which a watcher by link sends its secret. Storage's policies read it. */
export const LINK_HEADER = 'x-weft-link';

export const MAX_ATTACHMENT_BYTES = 25 * 1024 * 1024;
/** In code points. */
export const MAX_FILE_NAME = 255;
/** A picture of more pixels is not drawn but offered as a file: with 4 bytes each these are 256 MB in every reader's tab. */
export const MAX_PICTURE_PIXELS = 64_000_000;

/** The types shown as pictures. Everything else, SVG and HTML included, is stored as bytes to download. */
export const PICTURE_TYPES: readonly string[] = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif'];
export const OTHER_TYPE = 'application/octet-stream';

/**
 * `view` is a smaller version of a very large picture. `small` is a version in the size that a page shows. If one is
 * missing, the next larger version exists.
 */
export type AttachmentVersion = 'original' | 'view' | 'small';

/**
 * The width is limited and not the longer side, because a page sets the width of a picture, and a tall screenshot must
 * stay legible. The number of pixels limits the size of the file. WebP allows no more than `MAX_HEIGHT_PX`.
 */
const BOUNDS = {
  view: { width: 4096, pixels: 4096 * 4096 },
  small: { width: 1536, pixels: 1536 * 3072 },
} as const;
const MAX_HEIGHT_PX = 16_383;

/** The scale of a version of an original of this size (px; 0: unknown). 1: the version does not exist. */
export function scaleOf(version: 'view' | 'small', width: number, height: number): number {
  const bounds = BOUNDS[version];
  return Math.min(1, bounds.width / width, Math.sqrt(bounds.pixels / (width * height)), MAX_HEIGHT_PX / height);
}

const SUFFIX: Readonly<Record<AttachmentVersion, string>> = { original: '', view: '.view', small: '.small' };

export const objectPath = (
  document: DocumentId,
  attachment: AttachmentId,
  version: AttachmentVersion = 'original',
): string => `${document}/${attachment}${SUFFIX[version]}`;

/** The versions to ask for, best first, to show a picture of this size (px; 0: unknown). */
export function versionsFor(use: 'page' | 'full', width: number, height: number): readonly AttachmentVersion[] {
  const view: readonly AttachmentVersion[] = scaleOf('view', width, height) < 1 ? ['view'] : [];
  const small: readonly AttachmentVersion[] = use === 'page' && scaleOf('small', width, height) < 1 ? ['small'] : [];
  return [...small, ...view, 'original'];
}
