// The file formats of export and import.
import { slugOf } from '../../state/workspace/page-address.ts';

export const FILE_FORMATS = ['md', 'html', 'txt', 'json'] as const;
export type FileFormat = (typeof FILE_FORMATS)[number];

export const FORMAT_NAMES: Readonly<Record<FileFormat, string>> = {
  md: 'Markdown',
  html: 'web page',
  txt: 'plain text',
  json: 'Weft file',
};

/** Files that become pages, and pictures that can be chosen with them. */
export const PAGE_EXTENSIONS: readonly string[] = ['.md', '.markdown', '.mdown', '.html', '.htm', '.txt', '.json'];
export const PICTURE_EXTENSIONS: readonly string[] = ['.png', '.jpg', '.jpeg', '.gif', '.webp', '.avif'];

export const fileNameOf = (title: string, format: FileFormat): string => `${slugOf(title) || 'untitled'}.${format}`;
