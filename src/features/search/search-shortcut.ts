// Ctrl Shift F (on a Mac ⌘ ⇧ F) opens the search from any screen of a workspace; on the search screen it focuses the
// field.

export const isSearchShortcut = (event: KeyboardEvent): boolean =>
  !event.defaultPrevented &&
  !event.isComposing &&
  !event.altKey &&
  event.shiftKey &&
  (event.ctrlKey || event.metaKey) &&
  event.key.toLowerCase() === 'f';
