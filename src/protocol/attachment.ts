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
 * `view`: of a picture larger than `VIEW_PX`, the same at that size. `small`: of one larger than `SMALL_PX`, what a page
 * shows. Either may be missing: then the next larger one is there.
 */
export type Version = 'original' | 'view' | 'small';
/** Of the longer side. */
export const VIEW_PX = 4096;
export const SMALL_PX = 1536;

const SUFFIX: Readonly<Record<Version, string>> = { original: '', view: '.view', small: '.small' };

export const objectPath = (document: DocumentId, attachment: AttachmentId, version: Version = 'original'): string =>
  `${document}/${attachment}${SUFFIX[version]}`;

/** What to ask for, best first, when a picture of this size (px; 0: unknown) is to be shown. */
export function versionsFor(use: 'page' | 'full', width: number, height: number): readonly Version[] {
  const longest = Math.max(width, height);
  const view: readonly Version[] = longest > VIEW_PX ? ['view'] : [];
  const small: readonly Version[] = use === 'page' && longest > SMALL_PX ? ['small'] : [];
  return [...small, ...view, 'original'];
}
