// How a page without a title is called.

export const UNTITLED = 'Untitled';

export const shownTitle = (title: string): string => title.trim() || UNTITLED;
