// Pictures and files of pages as they lie in Storage: names, kinds, sizes. The SQL holds the same numbers and types.
import type { AttachmentId, DocumentId } from './ids.ts';

export const ATTACHMENTS = 'attachments';
/** The header in which a watcher by link says which link it is; Storage's policies read it. */
export const LINK_HEADER = 'x-weft-link';

export const MAX_ATTACHMENT_BYTES = 25 * 1024 * 1024;
export const MAX_FILE_NAME = 255;

/** What is shown as a picture. Everything else, SVG and HTML too, is stored as bytes to download. */
export const PICTURE_TYPES: readonly string[] = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif'];
export const OTHER_TYPE = 'application/octet-stream';

/**
 * `view`: of a very large picture, the same smaller. `small`: of one larger than a page shows, what it shows. Either may
 * be missing: then the next larger one is there.
 */
export type Version = 'original' | 'view' | 'small';

/**
 * A page gives a picture a width, so the width is bounded and not the longer side: a long screenshot has to be read. What
 * it costs is bounded by its pixels; no WebP is higher than `MAX_HEIGHT_PX`.
 */
const BOUNDS = {
  view: { width: 4096, pixels: 4096 * 4096 },
  small: { width: 1536, pixels: 1536 * 3072 },
} as const;
const MAX_HEIGHT_PX = 16_383;

/** How much smaller than the original (px; 0: unknown) a version is; 1: there is none. */
export function scaleOf(version: 'view' | 'small', width: number, height: number): number {
  const most = BOUNDS[version];
  return Math.min(1, most.width / width, Math.sqrt(most.pixels / (width * height)), MAX_HEIGHT_PX / height);
}

const SUFFIX: Readonly<Record<Version, string>> = { original: '', view: '.view', small: '.small' };

export const objectPath = (document: DocumentId, attachment: AttachmentId, version: Version = 'original'): string =>
  `${document}/${attachment}${SUFFIX[version]}`;

/** What to ask for, best first, when a picture of this size (px; 0: unknown) is to be shown. */
export function versionsFor(use: 'page' | 'full', width: number, height: number): readonly Version[] {
  const view: readonly Version[] = scaleOf('view', width, height) < 1 ? ['view'] : [];
  const small: readonly Version[] = use === 'page' && scaleOf('small', width, height) < 1 ? ['small'] : [];
  return [...small, ...view, 'original'];
}
