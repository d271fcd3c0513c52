// A Log that tells, beside a page's text, which attachments the page names: so that what no page names can be removed after
// its time. Only when that changed, and never of a page that names none and named none.
import type * as Y from 'yjs';
import { attachmentsOf } from '../document/attachments-of.ts';
import type { Result } from '../lib/result.ts';
import type { WeftError } from '../protocol/errors.ts';
import { type AttachmentId, type DocumentId, parseAttachmentId } from '../protocol/ids.ts';
import type { Log } from '../sync/ports.ts';

export type NoteFiles = (
  document: DocumentId,
  seq: number,
  ids: readonly AttachmentId[],
) => Promise<Result<void, WeftError>>;

/** `opened`: to be called when the page is there, before anybody edits it. */
export function notesFiles(
  log: Log,
  docOf: () => Y.Doc | null,
  note: NoteFiles,
): { readonly log: Log; readonly opened: () => void } {
  /** What the database was last told; null: nothing yet. */
  let told: string | null = null;
  const idsNow = () => {
    const doc = docOf();
    return doc === null ? [] : attachmentsOf(doc).flatMap((id) => parseAttachmentId(id) ?? []);
  };
  const saveText: Log['saveText'] = async (document, seq, title, bodyText, options) => {
    const ids = idsNow();
    const saved = await log.saveText(document, seq, title, bodyText, options);
    if (saved.ok && told !== ids.join()) {
      const noted = await note(document, seq, ids);
      if (noted.ok) told = ids.join();
    }
    return saved;
  };
  return {
    log: { ...log, saveText },
    opened() {
      if (idsNow().length === 0) told ??= '';
    },
  };
}
