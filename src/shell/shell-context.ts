// The values that the layout of a workspace gives to the screens inside it.
import { useOutletContext } from 'react-router';
import type { DocumentId } from 'weft-sync/protocol/ids.ts';

export type Shell = {
  readonly isSidebarOpen: boolean;
  readonly toggleSidebar: () => void;
  /** Opens the file picker for importing files as pages. */
  readonly importFiles: () => void;
  /** Creates and opens a page: below `parent`, or with null beside the page on the screen, or else at the top. */
  readonly newPage: (parent: DocumentId | null, options?: NewPageOptions) => void;
  /** Presents the open page; null while none is open that this person may edit. */
  readonly present: (() => void) | null;
  readonly offerPresent: (present: (() => void) | null) => void;
  /** Opens the dialog for sharing the open page; null while there is none that this person may share. */
  readonly share: (() => void) | null;
  readonly offerShare: (share: (() => void) | null) => void;
};

export type NewPageOptions = {
  readonly title?: string;
  /** Runs when the page exists, on the server or on this device. */
  readonly onCreated?: (page: DocumentId) => void;
};

export const useShell = (): Shell => useOutletContext<Shell>();
