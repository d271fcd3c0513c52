// The forms of file a page can be saved as.
import { slugOf } from '../../state/workspace/page-address.ts';

export const FILE_FORMS = ['md', 'html', 'txt', 'json'] as const;
export type FileForm = (typeof FILE_FORMS)[number];

export const FORM_WORDS: Readonly<Record<FileForm, string>> = {
  md: 'Markdown',
  html: 'web page',
  txt: 'plain text',
  json: 'Weft file',
};

/** What becomes a page, and the pictures that may come with it. */
export const PAGE_ENDINGS: readonly string[] = ['.md', '.markdown', '.mdown', '.html', '.htm', '.txt', '.json'];
export const PICTURE_ENDINGS: readonly string[] = ['.png', '.jpg', '.jpeg', '.gif', '.webp', '.avif'];

export const fileNameOf = (title: string, form: FileForm): string => `${slugOf(title) || 'untitled'}.${form}`;
