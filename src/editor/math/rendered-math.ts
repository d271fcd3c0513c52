// The result of rendering a formula.

/** Exactly one of the two is null. `html` comes only from KaTeX; `error` is a message to show. */
export type RenderedMath =
  | { readonly html: string; readonly error: null }
  | { readonly html: null; readonly error: string };
