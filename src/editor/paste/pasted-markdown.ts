// Pasted text that is Markdown. The parser is loaded when the page is idle.
import type { markdownToBlocks } from '../../document/markdown/markdown-to-blocks.ts';
import { blocksOfHtml } from '../html/blocks-of-html.ts';
import type { PastedBlock } from '../html/pasted-block.ts';

type MarkdownParser = { readonly markdownToBlocks: typeof markdownToBlocks };

/**
 * Longer texts are inserted as lines, because parsing would block the page for a second. Import takes Markdown of any
 * length.
 */
export const MAX_CHARACTERS = 300_000;

let parser: MarkdownParser | null = null;
let loading: Promise<MarkdownParser> | null = null;

/** Loads the parser once. After a failure the next call tries again. */
export function loadMarkdown(): Promise<MarkdownParser> {
  loading ??= import('../../document/markdown/markdown-to-blocks.ts').then(
    (loaded) => (parser = loaded),
    (error: unknown) => {
      loading = null;
      throw error;
    },
  );
  return loading;
}

/** Null until the parser is loaded. */
export const markdownBlocks = (text: string): readonly PastedBlock[] | null =>
  parser?.markdownToBlocks(text, { readHtml: blocksOfHtml }) ?? null;
