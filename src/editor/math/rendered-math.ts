// The jobs of the formula worker, and its answers.

export type MathJob = {
  readonly tex: string;
  /** MathML needs no styles and no fonts: the export uses it. */
  readonly output: 'page' | 'mathml';
  /** In a line of text: smaller, and the limits of a sum stand beside its sign. */
  readonly isInline: boolean;
};

/** `html` comes only from KaTeX. `wrong` is a message about the source. */
export type RenderedMath =
  | { readonly kind: 'html'; readonly html: string }
  | { readonly kind: 'wrong'; readonly message: string }
  | { readonly kind: 'tooLarge' };
