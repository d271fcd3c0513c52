/** The key code of keys that an input method has taken. */
const TAKEN_BY_INPUT_METHOD = 229;

/**
 * Whether a key press belongs to an input method, such as the Enter that commits a word. Safari on macOS sends that one after
 * `compositionend`, when `isComposing` is false again: only the key code tells it from a plain Enter.
 */
export const isComposing = (event: KeyboardEvent): boolean =>
  event.isComposing || event.keyCode === TAKEN_BY_INPUT_METHOD;
