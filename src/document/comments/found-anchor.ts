// Where on a page that is which a comment is about: the result of `findAnchor`, kept up to date by the anchor index.
import type * as Y from 'yjs';

export type FoundAnchor =
  | {
      readonly at: 'text';
      /** Just before the first character and just after the last, in texts that are on the page. */
      readonly from: Y.RelativePosition;
      readonly to: Y.RelativePosition;
      /** The anchor's characters are gone, or have not arrived; these say the same. */
      readonly isElsewhere: boolean;
    }
  | { readonly at: 'block'; readonly block: string }
  | { readonly at: 'page' }
  /** `near`: where they were; null if that is gone too. */
  | { readonly at: 'gone'; readonly near: Y.RelativePosition | null };
