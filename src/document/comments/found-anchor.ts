// Where the words of a comment are on a page.
import type * as Y from 'yjs';

export type FoundAnchor =
  | {
      readonly at: 'text';
      /** Before the first character and behind the last one, in texts of the page that are there. */
      readonly from: Y.RelativePosition;
      readonly to: Y.RelativePosition;
      /** The anchor names characters that are gone; these say the same. */
      readonly isElsewhere: boolean;
    }
  | { readonly at: 'block'; readonly block: string }
  | { readonly at: 'page' }
  /** `near`: where they were; null if that is gone too. */
  | { readonly at: 'gone'; readonly near: Y.RelativePosition | null };
