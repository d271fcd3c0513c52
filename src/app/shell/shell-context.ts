// What screens inside a workspace get from its frame.
import { useOutletContext } from 'react-router';
import type { DocumentId } from '../../protocol/ids.ts';

export type Shell = {
  readonly isSidebarOpen: boolean;
  readonly toggleSidebar: () => void;
  /** Lets the person choose files that become pages. */
  readonly importFiles: () => void;
  readonly newPage: (parent: DocumentId | null) => void;
};

export const useShell = (): Shell => useOutletContext<Shell>();
