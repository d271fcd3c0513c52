// Wraps a Log so that saving a page's text also reports which attachments the page uses. The database removes attachments
// that no page uses. Reports the list with the first save and then when it has changed, but nothing for a page that has had
// none since it was opened.
import { attachmentsOf } from 'weft-document/body/attachments-of.ts';
import type { Log } from 'weft-sync/ports.ts';
import type * as Y from 'yjs';
import type { StoredAttachments } from '../platform/supabase/attachments.ts';
import { parseAttachmentId } from '../protocol/ids.ts';

export type ReportAttachments = StoredAttachments['setDocumentAttachments'];

/** Call `opened` when the page has loaded, before anyone edits it. */
export function withAttachmentReports(
  log: Log,
  docOf: () => Y.Doc | null,
  report: ReportAttachments,
): { readonly log: Log; readonly opened: () => void } {
  /** The list that was last reported; null before the first report. */
  let reported: string | null = null;
  const idsNow = () => {
    const doc = docOf();
    return doc === null ? [] : attachmentsOf(doc).flatMap((id) => parseAttachmentId(id) ?? []);
  };
  const saveText: Log['saveText'] = async (document, seq, title, bodyText, options) => {
    const ids = idsNow();
    const save = () => log.saveText(document, seq, title, bodyText, options);
    if (reported === ids.join()) return save();
    // `purge_attachments` relies on this order: a saved text implies that its attachments were reported, so they go first.
    // A page that is about to unload sends both at once.
    const isLeaving = options?.keepalive === true;
    const saving = isLeaving ? save() : null;
    const reportAnswer = await report(document, seq, ids, options);
    if (reportAnswer.ok) reported = ids.join();
    const answer = await (saving ?? (reportAnswer.ok ? save() : reportAnswer));
    return answer.ok && !reportAnswer.ok ? reportAnswer : answer;
  };
  return {
    log: { ...log, saveText },
    opened() {
      if (idsNow().length === 0) reported ??= '';
    },
  };
}
