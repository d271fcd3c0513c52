// Texts for the codes of the error catalogue (SPECIFICATION.md, section 8). Those that the database raises have the
// same texts there (`weft.raise`).
import type { WeftCode, WeftError } from 'weft-sync/protocol/errors.ts';
import type { Result } from '../lib/result.ts';

export const ERROR_TEXTS = {
  WF001: 'You can’t open this page.',
  WF002: 'You can view this page, not edit it.',
  WF003: 'Sign in again to save. Your edits are kept on this device.',
  WF004: 'This page was edited with a newer version. Reload to continue.',
  WF005: 'An edit couldn’t be saved.',
  WF006: 'Some edits couldn’t be sent.',
  WF007: 'This page is full (20 MB). Split it to continue.',
  WF008: 'Too many requests. Try again later.',
  WF009: 'This link no longer works.',
  WF010: 'A page can’t be moved there.',
  WF011: 'Can’t reach the server. Edits are kept on this device.',
  WF012: 'Only in this tab: this device can’t store edits. Don’t close it until they are saved.',
  WF013: 'One edit in this page’s history is damaged and was skipped.',
  WF014: 'A workspace needs an owner.',
  WF015: 'Someone else is presenting this page.',
  WF016: 'The server was restored from an earlier state.',
  WF017: 'Your account has no more room for files.',
  WF018: 'Your account can’t save more text today. Edits are kept on this device and sent tomorrow.',
  WF019: 'This page is being repaired. It opens when someone who can edit it is here.',
  WF020:
    'Something you added is larger than 1 MB, so it can’t be saved. Download a copy, discard the edits in Account settings, then add it in parts.',
  WF021: 'Too long, or too many comments.',
  WF022: 'This comment was deleted.',
} as const satisfies Record<WeftCode, string>;

export const textOf = (error: WeftError): string =>
  error.code === 'unknown' ? 'Something went wrong.' : ERROR_TEXTS[error.code];

export const NO_HISTORY_BY_LINK = 'This link doesn’t show the page’s history';

/** Why the history cannot be read. Only people who came by a link that does not show it are refused with WF002. */
export const historyTextOf = (error: WeftError): string =>
  error.code === 'WF002' ? NO_HISTORY_BY_LINK : textOf(error);

/** WF016 for edits that a final restore leaves out. */
export const KEPT_AS_FILE_TEXT =
  'The server was restored from an earlier state for good. What this device had since then is kept as a file.';

/** Why there is no list of pages. */
export const noPagesText = (error: WeftError): string =>
  error.code === 'WF001' ? 'Nothing here is shared with you.' : textOf(error);

/** Why a list did not load. A list holds no edits, so the text says nothing of them. */
export const listProblem = (error: WeftError): string =>
  error.code === 'WF011' ? 'Can’t reach the server.' : textOf(error);

/** The error's text; null if nothing went wrong. */
export const problemOf = (answer: Result<unknown, WeftError>): string | null =>
  answer.ok ? null : textOf(answer.error);

/** Why a page is closed, or can't be edited. `name`: who did it; null if no one did, or they are not known any more. */
export function closureText(
  kind: 'removed' | 'restricted' | 'link' | 'purged' | 'trashed',
  name: string | null,
): string {
  if (kind === 'link' && name === null) return 'The link you used has expired.';
  const who = name ?? 'Someone';
  return {
    removed: `${who} removed your access.`,
    restricted: `${who} restricted this page.`,
    link: `${who} revoked the link you used.`,
    purged: name === null ? 'This page was deleted permanently.' : `${who} deleted this page permanently.`,
    trashed: `${who} moved this page to the trash.`,
  }[kind];
}

export const unsavedText = (edits: number): string =>
  edits === 1 ? '1 edit wasn’t saved.' : `${edits} edits weren’t saved.`;
