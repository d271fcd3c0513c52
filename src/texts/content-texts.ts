// Texts shown in place of content, or of a part of the app, that can't be shown.

/** Texts about content that can't be shown, edited, pasted or written as it is. */
export const CONTENT_TEXTS = {
  newerBlock: 'Made with a newer version of Weft. Reload to see it.',
  looseContent: 'Text outside of any block.',
  blockTooLarge: 'Too large to draw. Shown as plain text.',
  blockFailed: 'This block couldn’t be drawn. Shown as plain text.',
  notEditable: 'This page can be read here, but not edited. Reload to try again.',
  formulaTooLarge: 'Too large to draw as a formula.',
  tooManyFormulas: 'This page has more formulas than can be drawn.',
  formulasNotLoaded: 'Couldn’t load formulas. The source is kept.',
  markdownTooComplex: 'Too complex to read as Markdown. Pasted as plain text.',
  exportTooComplex: 'Too complex for this format, so a part was written as plain text.',
  fileNotWritten: 'The browser couldn’t write the file. Is there room on this device?',
} as const;

/** In place of a title that is empty. */
export const UNTITLED = 'Untitled';

export const shownTitle = (title: string): string => title.trim() || UNTITLED;

/** The code of a part of the app did not load. */
export const PART_NOT_LOADED = 'Couldn’t load this part of Weft. Try again when you are online, or reload.';

/** A part of the screen failed. */
export const PART_FAILED = 'This part of Weft stopped working. The rest still works.';
