// The forms of file a page can be saved as.
import { slugOf } from '../../state/page-address.ts';

export const FILE_FORMS = ['md', 'html', 'txt', 'json'] as const;
export type FileForm = (typeof FILE_FORMS)[number];

export const FORM_WORDS: Readonly<Record<FileForm, string>> = {
  md: 'Markdown',
  html: 'web page',
  txt: 'plain text',
  json: 'Weft file',
};

/** What can be imported. */
export const IMPORTED = '.md,.markdown,.mdown,.txt,.json';

export const fileNameOf = (title: string, form: FileForm): string => `${slugOf(title) || 'untitled'}.${form}`;
