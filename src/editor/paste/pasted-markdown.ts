// Pasted text that is Markdown: short texts are read at once, long ones in a worker. The parser is loaded when the page is
// idle.
import type { markdownToBlocks } from 'weft-document/markdown/markdown-to-blocks.ts';
import { blocksOfHtml } from '../html/blocks-of-html.ts';
import type { PastedBlock } from '../html/pasted-block.ts';

type MarkdownParser = { readonly markdownToBlocks: typeof markdownToBlocks };

/** Longer texts are inserted as lines: Markdown of that length is a file, and import takes it. */
export const MAX_CHARACTERS = 300_000;
/**
 * Longer texts are read in a worker and inserted a moment later. A text of this length is read in at most 50 ms, even a
 * hostile one, so a small paste is there at once.
 */
export const MAX_IMMEDIATE_CHARACTERS = 2_000;

let parser: MarkdownParser | null = null;
let loading: Promise<MarkdownParser> | null = null;

/** Loads the parser once. After a failure the next call tries again. */
export function loadMarkdown(): Promise<MarkdownParser> {
  loading ??= import('weft-document/markdown/markdown-to-blocks.ts').then(
    (loaded) => (parser = loaded),
    (error: unknown) => {
      loading = null;
      throw error;
    },
  );
  return loading;
}

/** Reads a short text at once. Null if it is too long for that, or the parser is not loaded yet. */
export const immediateBlocks = (text: string): readonly PastedBlock[] | null =>
  text.length > MAX_IMMEDIATE_CHARACTERS ? null : (parser?.markdownToBlocks(text, { readHtml: blocksOfHtml }) ?? null);

/** Reads any text in a worker. `isComplete` is false if a part was too complex and became plain text. */
export async function blocksInBackground(
  text: string,
): Promise<{ readonly blocks: readonly PastedBlock[]; readonly isComplete: boolean }> {
  const { readMarkdown } = await import('weft-document/markdown/background-markdown.ts');
  return readMarkdown(text, { readHtml: blocksOfHtml });
}
