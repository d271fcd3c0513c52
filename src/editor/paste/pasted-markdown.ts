// Text that is pasted and means what its signs say. The reader of Markdown is loaded once the page is quiet.
import type { markdownToBlocks } from '../../document/markdown/markdown-to-blocks.ts';
import { blocksOfHtml } from '../html/blocks-of-html.ts';
import type { PastedBlock } from '../html/pasted-block.ts';

type Reader = { readonly markdownToBlocks: typeof markdownToBlocks };

/** Longer texts are lines: reading them would hold up the page for a second. Import takes Markdown of any length. */
export const MAX_CHARACTERS = 300_000;

let reader: Reader | null = null;
let loading: Promise<Reader> | null = null;

/** Fetches the reader, once; a failure is tried again at the next call. */
export function loadMarkdown(): Promise<Reader> {
  loading ??= import('../../document/markdown/markdown-to-blocks.ts').then(
    (loaded) => (reader = loaded),
    (error: unknown) => {
      loading = null;
      throw error;
    },
  );
  return loading;
}

/** Null while the reader is not there. */
export const markdownBlocks = (text: string): readonly PastedBlock[] | null =>
  reader?.markdownToBlocks(text, { readHtml: blocksOfHtml }) ?? null;
