// The error catalogue (SPECIFICATION.md, point 8): error codes and the texts that people read. The migrations raise the
// same codes with the same texts (`weft.raise`).
import type { Result } from '../lib/result.ts';
import { MAX_TITLE_LENGTH } from './limits.ts';

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
} as const;

export type WeftCode = keyof typeof ERROR_TEXTS;

/**
 * Why a call failed. `code` is one of the catalogue, or `unknown` for everything else ("Something went wrong").
 * `detail` is for the console and for reports; people never see it.
 */
export type WeftError = {
  readonly code: WeftCode | 'unknown';
  readonly detail: string;
  /** The server wants no further call before this time has passed (`Retry-After`). */
  readonly retryAfterMs?: number;
};

export const weftError = (code: WeftError['code'], detail = ''): WeftError => ({ code, detail });

export const isWeftCode = (text: unknown): text is WeftCode => typeof text === 'string' && text in ERROR_TEXTS;

export const textOf = (error: WeftError): string =>
  error.code === 'unknown' ? 'Something went wrong.' : ERROR_TEXTS[error.code];

export const NO_HISTORY_BY_LINK = 'This link doesn’t show the page’s history';

/** Why the history cannot be read. Only people who came by a link that does not show it are refused with WF002. */
export const historyTextOf = (error: WeftError): string =>
  error.code === 'WF002' ? NO_HISTORY_BY_LINK : textOf(error);

/** WF016 for edits that a final restore leaves out. */
export const KEPT_AS_FILE_TEXT =
  'The server was restored from an earlier state for good. What this device had since then is kept as a file.';

const TEMPORARY: readonly WeftError['code'][] = ['WF003', 'WF008', 'WF011', 'WF018', 'WF019'];

/**
 * Whether the same call may succeed later: it was lost on the way, the person was signed out, sent too many requests or too much
 * text.
 */
export const isTemporary = ({ code }: WeftError): boolean => TEMPORARY.includes(code);

/** Why there is no list of pages. */
export const noPagesText = (error: WeftError): string =>
  error.code === 'WF001' ? 'Nothing here is shared with you.' : textOf(error);

/** Why a list did not load. No one writes in it, so nothing is said of edits. */
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

/** Why a sign-in failed. These come from the sign-in service, not from the database. */
export const SIGN_IN_TEXTS = {
  credentials: 'Incorrect email or password.',
  taken: 'There is already an account with this email. Sign in instead.',
  weakPassword: 'Use at least 8 characters, and not a very common password.',
  badEmail: 'This doesn’t look like an email address.',
  unconfirmed: 'Open the link in the email we sent you, then sign in.',
  cannotEmail:
    'This server can’t send email to this address: it has no email service of its own (SMTP). Ask the person who runs it.',
  badCode: 'This code is wrong or has expired. Use the newest email.',
  deadLink: 'This link was already used, or it has expired.',
  otherBrowser: 'A sign-in link works only in the browser that requested it.',
  samePassword: 'This is already your password.',
  closed: 'This server doesn’t accept new accounts this way.',
  tooMany: 'Too many tries. Wait a minute, then try again.',
  unreachable: 'Can’t reach the server. Check the connection and try again.',
  unknown: 'Something went wrong.',
} as const;

/** Shown below a field before anything is sent. */
export const FIELD_TEXTS = {
  missing: 'This is needed.',
  email: 'Enter your email address.',
  password: 'Enter your password.',
  newPassword: 'Choose a password.',
  name: 'Enter a name.',
  workspace: 'Give the workspace a name.',
  code: 'Enter the code from the email.',
  badEmail: SIGN_IN_TEXTS.badEmail,
  weakPassword: SIGN_IN_TEXTS.weakPassword,
  malformed: 'This is not in the right form.',
} as const;

/** Shown below a field while it holds more than can be saved. */
export const tooLongText = (characters: number): string => `At most ${characters} characters.`;

/** Shown after a sign-up that waits for its email. The server answers the same when the address has an account. */
export const SIGN_UP_SENT =
  'Open the link in the email we sent you, then sign in. No email? You may have an account already: sign in, or choose a new password.';

export type SignInProblem = keyof typeof SIGN_IN_TEXTS;
/** `detail` is for the console and for reports; people never see it. */
export type SignInError = { readonly problem: SignInProblem; readonly detail: string };

/** Shown under the field for a link's address. */
export const BAD_ADDRESS = 'An address starts with https://, mailto: or tel:.';

/** Shown under the title's field when it takes no more. */
export const TITLE_FULL = `A title has at most ${MAX_TITLE_LENGTH} characters.`;

/** Texts about pictures and files. These errors come from the device and from Storage, not from the database. */
export const FILE_TEXTS = {
  tooLarge: 'Files can be at most 25 MB.',
  unreadable: 'This file couldn’t be read.',
  noPicture: 'This isn’t a picture that can be shown here. Choose a PNG, JPEG or WebP file.',
  full: 'There is no room on this device. Free some, then add the file again.',
  waiting: 'Waits on this device',
  sending: 'Uploading',
  failed: 'Couldn’t be uploaded.',
  denied: 'You can’t open this file.',
  notIncluded: 'This picture wasn’t included.',
  notFetched: 'Some pictures couldn’t be fetched from Google. They are pasted as links.',
  saving: 'Saving the pictures on this device. The pasted content appears with them.',
  missing: 'Not on the server: it isn’t uploaded yet, or the server has lost it.',
  offline: 'Shown when you are online again.',
  broken: 'This picture couldn’t be shown.',
  undrawable: 'This picture is damaged or too large to show. You can download it.',
} as const;

/** Texts about content that is shown or pasted as plain text instead. */
export const CONTENT_TEXTS = {
  newerBlock: 'Made with a newer version of Weft. Reload to see it.',
  looseContent: 'Text outside of any block.',
  blockTooLarge: 'Too large to draw. Shown as plain text.',
  blockFailed: 'This block couldn’t be drawn. Shown as plain text.',
  notEditable: 'This page can be read here, but not edited. Reload to try again.',
  formulaTooLarge: 'Too large to draw as a formula.',
  tooManyFormulas: 'This page has more formulas than can be drawn.',
  formulasNotLoaded: 'Couldn’t load formulas. The source is kept.',
  markdownTooComplex: 'Too complex to read as Markdown. Pasted as plain text.',
  exportTooComplex: 'Too complex for this format, so a part was written as plain text.',
  fileNotWritten: 'The browser couldn’t write the file. Is there room on this device?',
} as const;

/** The code of a part of the app did not load. */
export const PART_NOT_LOADED = 'Couldn’t load this part of Weft. Try again when you are online, or reload.';

/** The code of an error in the app itself, which has none in the catalogue: short, and the same for the same error. */
export function appErrorCode(error: unknown): string {
  const text =
    error instanceof Error ? `${error.name}${error.message}${error.stack?.split('\n')[1] ?? ''}` : String(error);
  let hash = 5381;
  for (let at = 0; at < text.length; at++) hash = ((hash * 33) ^ text.charCodeAt(at)) >>> 0;
  return `WF-app-${hash.toString(16).padStart(8, '0').slice(0, 4)}`;
}

/** A part of the screen failed. */
export const PART_FAILED = 'This part of Weft stopped working. The rest still works.';

export const refusedFilesText = (count: number): string =>
  count === 1 ? 'A file couldn’t be uploaded.' : `${count} files couldn’t be uploaded.`;

export type FileProblem = 'tooLarge' | 'unreadable' | 'full';
