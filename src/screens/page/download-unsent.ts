// Downloads the edits and comments of a page that are not on the server.
import type { OpenPage } from '../../state/page/open-page.ts';
import { slugOf } from '../../state/workspace/page-address.ts';
import { saveFile } from '../../ui/browser/save-file.ts';

/** Saves a Yjs update that applies to the page, and the texts of the comments. Does nothing when neither waits. */
export function downloadUnsent(page: OpenPage, title: string | null): void {
  const name = slugOf(title ?? '') || page.documentId;
  const bytes = page.unsentFile();
  if (bytes !== null) saveFile(bytes, `${name}-unsent-edits.yjs`);
  const comments = page.unsentComments();
  if (comments.length > 0)
    saveFile(new TextEncoder().encode(`${comments.join('\n\n')}\n`), `${name}-unsent-comments.txt`);
}
