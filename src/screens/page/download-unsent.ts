// Downloads the edits of a page that are not on the server.
import type { OpenPage } from '../../state/page/open-page.ts';
import { slugOf } from '../../state/workspace/page-address.ts';
import { saveFile } from '../../ui/browser/save-file.ts';

/** Saves a Yjs update that applies to the page. Does nothing when no edit waits. */
export function downloadUnsent(page: OpenPage, title: string | null): void {
  const bytes = page.unsentFile();
  if (bytes === null) return;
  saveFile(bytes, `${slugOf(title ?? '') || page.documentId}-unsent-edits.yjs`);
}
