// A range of a code block with its highlight classes.

/** Offsets are UTF-16 units of the block's text. `names` are CSS classes, separated by spaces. */
export type HighlightedRange = { readonly from: number; readonly to: number; readonly names: string };
