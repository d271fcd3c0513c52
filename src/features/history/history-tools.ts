// The tools that the history needs from other parts of the app.
import type { PageFile } from 'weft-document/formats/page-json.ts';
import type { Cancel } from '../../lib/cancel.ts';

export type HistoryTools = {
  /** The page's address. */
  readonly address: string;
  readonly title: string;
  /** The moment that is shown first. Null: now. */
  readonly moment: number | null;
  readonly formats: readonly { readonly id: string; readonly name: string }[];
  readonly onExport: (file: PageFile, format: string) => void;
  /** Null for people who may not create pages here. */
  readonly onCopy: ((file: PageFile) => Promise<void>) | null;
  /** Calls `run` when someone names, renames or removes a version. Null if the server does not report that. */
  readonly watchVersions: ((run: () => void) => Cancel) | null;
};
