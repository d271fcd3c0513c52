// A Log that tells, beside a page's text, which attachments the page names: so that what no page names can be removed after
// its time. Only when that changed, and never of a page that names none and named none.
import type * as Y from 'yjs';
import { attachmentsOf } from '../../document/body/attachments-of.ts';
import type { Result } from '../../lib/result.ts';
import type { WeftError } from '../../protocol/errors.ts';
import { type AttachmentId, type DocumentId, parseAttachmentId } from '../../protocol/ids.ts';
import type { Log } from '../../sync/ports.ts';

export type ReportAttachments = (
  document: DocumentId,
  seq: number,
  ids: readonly AttachmentId[],
  options?: { readonly keepalive?: boolean },
) => Promise<Result<void, WeftError>>;

/** `opened`: to be called when the page is there, before anybody edits it. */
export function withAttachmentReports(
  log: Log,
  docOf: () => Y.Doc | null,
  note: ReportAttachments,
): { readonly log: Log; readonly opened: () => void } {
  /** What the database was last told; null: nothing yet. */
  let told: string | null = null;
  const idsNow = () => {
    const doc = docOf();
    return doc === null ? [] : attachmentsOf(doc).flatMap((id) => parseAttachmentId(id) ?? []);
  };
  const saveText: Log['saveText'] = async (document, seq, title, bodyText, options) => {
    const ids = idsNow();
    const saving = () => log.saveText(document, seq, title, bodyText, options);
    if (told === ids.join()) return saving();
    // A text that is as new as the log says that the files were told as well (purge_attachments relies on it): files
    // first. Nothing waits when the page may be gone in a moment.
    const isLeaving = options?.keepalive === true;
    const saved = isLeaving ? saving() : null;
    const noted = await note(document, seq, ids, options);
    if (noted.ok) told = ids.join();
    const answer = await (saved ?? (noted.ok ? saving() : noted));
    return answer.ok && !noted.ok ? noted : answer;
  };
  return {
    log: { ...log, saveText },
    opened() {
      if (idsNow().length === 0) told ??= '';
    },
  };
}
