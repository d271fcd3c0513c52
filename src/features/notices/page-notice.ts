// Decides which banner a page shows: the first that applies, worst first.
import { type WeftError, weftError } from 'weft-sync/protocol/errors.ts';
import type { UserId } from 'weft-sync/protocol/ids.ts';
import type { PendingPage } from '../../ports/device.ts';
import type { Closure } from '../../protocol/people-answers.ts';
import { textOfClosure } from '../../state/page/page-closure.ts';
import { type PageView, isKeptAsFile } from '../../state/page/page-view.ts';
import { KEPT_AS_FILE_TEXT, textOf, unsavedText } from '../../texts/error-texts.ts';
import { refusedFilesText } from '../../texts/file-texts.ts';

export type PageNotice = {
  readonly kind: 'warning' | 'info' | 'error';
  readonly about:
    | 'notCreated'
    | 'closed'
    | 'trashed'
    | 'refused'
    | 'files'
    | 'signedOut'
    | 'oldApp'
    | 'full'
    | 'readOnly'
    | 'offline'
    | 'damaged'
    | 'slowed'
    | 'large';
  readonly text: string;
};

type NoticeInput = Pick<
  PageView,
  | 'receipt'
  | 'refusedFiles'
  | 'refusedComments'
  | 'connection'
  | 'role'
  | 'error'
  | 'damaged'
  | 'pace'
  | 'size'
  | 'unsent'
> & {
  /** Why the page is closed or in the trash; null while nothing is known. */
  readonly closure: Closure;
  readonly me: UserId;
  readonly isExpired: boolean;
  /** Set while the page has not been created on the server. */
  readonly queued: Pick<PendingPage, 'refused' | 'parent' | 'lost'> | null;
};

export function pageNotice({
  receipt,
  refusedFiles,
  refusedComments,
  connection,
  role,
  error,
  damaged,
  pace,
  size,
  unsent,
  closure,
  me,
  isExpired,
  queued,
}: NoticeInput): PageNotice | null {
  const code = error?.code;
  if (queued !== null && queued.refused !== null)
    return { kind: 'error', about: 'notCreated', text: notCreatedText(queued) };
  if (closure?.kind === 'trashed')
    return { kind: 'warning', about: 'trashed', text: `${textOfClosure(closure, me)}${restoredText(unsent.edits)}` };
  if (code === 'WF001') {
    const why = closure === null ? textOf(weftError('WF001')) : textOfClosure(closure, me);
    return { kind: 'error', about: 'closed', text: `${why} ${unsavedText(unsent.edits)}` };
  }
  if (refusedFiles !== undefined) return { kind: 'error', about: 'files', text: refusedFilesText(refusedFiles) };
  if (isKeptAsFile({ receipt, error })) return { kind: 'info', about: 'refused', text: KEPT_AS_FILE_TEXT };
  // The comments themselves say that they were rejected.
  if (receipt === 'refused' && refusedComments === undefined)
    return notice('error', 'refused', error ?? weftError('WF005'));
  if (code === 'WF004') return notice('info', 'oldApp', weftError('WF004'));
  if (isExpired || code === 'WF003') return notice('warning', 'signedOut', weftError('WF003'));
  if (code === 'WF007' || size === 'full') return notice('error', 'full', weftError('WF007'));
  if (code === 'WF002' && role === 'commenter') return { kind: 'info', about: 'readOnly', text: COMMENT_ONLY_TEXT };
  if (code === 'WF002') return notice('info', 'readOnly', weftError('WF002'));
  if (connection === 'offline') return notice('warning', 'offline', weftError('WF011'));
  if (damaged.length > 0) {
    const which = damaged.length === 1 ? `No. ${damaged[0]}.` : `Nos. ${damaged.join(', ')}.`;
    return { kind: 'info', about: 'damaged', text: `${textOf(weftError('WF013'))} ${which}` };
  }
  if (pace === 'slowed') return { kind: 'info', about: 'slowed', text: SLOWED_TEXT };
  if (size === 'large') return { kind: 'info', about: 'large', text: LARGE_PAGE_TEXT };
  return null;
}

/** Edits of a page in the trash go out when it is restored. */
function restoredText(edits: number): string {
  if (edits === 0) return '';
  return edits === 1 ? ' 1 edit is sent when it’s restored.' : ` ${edits} edits are sent when it’s restored.`;
}

const COMMENT_ONLY_TEXT = 'You can comment on this page, not edit it.';

const SLOWED_TEXT = 'Others see your words a little later: the project’s message limit is reached.';

const LARGE_PAGE_TEXT = 'This page is larger than 10 MB. At 20 MB it can’t grow any more: split it before then.';

function notCreatedText({ parent, refused, lost }: NonNullable<NoticeInput['queued']>): string {
  if (lost !== undefined)
    return refused === 'WF016'
      ? 'The server was restored from an earlier state for good, without this page. It is only on this device.'
      : 'The server was restored from an earlier state and lost this page. It is only on this device.';
  return parent === null
    ? 'This page is only on this device: you can’t create pages in this workspace any more.'
    : 'This page is only on this device: its parent page was deleted, or you can’t open it any more.';
}

const notice = (kind: PageNotice['kind'], about: PageNotice['about'], error: WeftError): PageNotice => ({
  kind,
  about,
  text: textOf(error),
});
