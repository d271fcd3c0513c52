// Ctrl Shift F (on a Mac ⌘ ⇧ F) searches the text of all pages, from everywhere.

export const isSearchShortcut = (event: KeyboardEvent): boolean =>
  !event.defaultPrevented &&
  !event.isComposing &&
  !event.altKey &&
  event.shiftKey &&
  (event.ctrlKey || event.metaKey) &&
  event.key.toLowerCase() === 'f';
