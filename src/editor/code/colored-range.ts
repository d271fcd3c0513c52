// The jobs of the highlight worker, and its answers.

export type HighlightJob = { readonly language: string; readonly text: string };

/** Offsets are UTF-16 units of the block's text. `names` are CSS classes, separated by spaces. */
export type ColoredRange = { readonly from: number; readonly to: number; readonly names: string };
