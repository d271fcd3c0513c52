// The jobs of the Markdown worker, and its answers.
import type { RootContent } from 'mdast';
import * as v from 'valibot';
import type { MarkdownPiece } from './split-blocks.ts';

export type MarkdownJob =
  | { readonly kind: 'split'; readonly source: string }
  | { readonly kind: 'parse'; readonly source: string }
  | { readonly kind: 'write'; readonly piece: MarkdownPiece };

/** Everything here comes from our own worker, so its parts are not checked again. */
const arrayOf = <T>() => v.custom<readonly T[]>(Array.isArray);

export const markdownAnswer = v.variant('kind', [
  /** Null: the text is too complex. */
  v.object({ kind: v.literal('split'), pieces: v.nullable(arrayOf<string>()) }),
  v.object({ kind: v.literal('parse'), nodes: arrayOf<RootContent>() }),
  v.object({ kind: v.literal('write'), text: v.string() }),
]);
export type MarkdownAnswer = v.InferOutput<typeof markdownAnswer>;
