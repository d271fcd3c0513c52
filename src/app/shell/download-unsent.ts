// The edits of a page that are on no server, as a file of the person's own.
import type { OpenPage } from '../../state/page/open-page.ts';
import { slugOf } from '../../state/workspace/page-address.ts';
import { saveFile } from '../../ui/browser/save-file.ts';

/** A Yjs update that applies to the page; nothing when nothing waits. */
export function downloadUnsent(page: OpenPage, title: string | null): void {
  const bytes = page.unsentFile();
  if (bytes === null) return;
  saveFile(bytes, `${slugOf(title ?? '') || page.documentId}-unsent-edits.yjs`);
}
