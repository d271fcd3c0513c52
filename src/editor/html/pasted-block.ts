// A block read from pasted or imported content, and the options of the HTML reader.
import type { DetachedBlock } from 'weft-document/blocks/detached-block.ts';
import type { DocumentId } from 'weft-sync/protocol/ids.ts';

type LooseFile = Extract<DetachedBlock, { readonly type: 'image' | 'file' }>;

/** A block that can be inserted into a page. `document` is the Weft page a file was copied from. */
export type PastedBlock = Exclude<DetachedBlock, LooseFile> | (LooseFile & { readonly document?: DocumentId | null });

export type HtmlReadOptions = {
  /** Called for a table that is too large and becomes lines of text. */
  readonly onTooLarge?: () => void;
  /** True if the file behind a picture's address is available. */
  readonly hasFile?: (address: string) => boolean;
  /** The blocks are read for a place that holds only text. */
  readonly isTextOnly?: boolean;
};
