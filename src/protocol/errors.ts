// The error catalogue (SPECIFICATION.md, point 8): error codes and the texts that people read. The migrations raise the
// same codes with the same texts (`weft.raise`).

export const ERROR_TEXTS = {
  WF001: 'This page does not exist or you have no access to it.',
  WF002: 'You can read this page but not change it.',
  WF003: 'Sign in again to save. Your edits are kept on this device.',
  WF004: 'This page was edited with a newer version. Reload to go on.',
  WF005: 'An edit could not be saved.',
  WF006: 'Some edits could not be sent.',
  WF007: 'This page is full (20 MB). Split it to go on.',
  WF008: 'Live updates slowed down.',
  WF009: 'This link no longer works.',
  WF010: 'A page cannot be moved there.',
  WF011: 'Offline. Edits are kept on this device.',
  WF012: 'Only in this tab: this device cannot keep edits. Leave it open until they are saved.',
  WF013: 'One edit in this page’s history is damaged and was skipped.',
  WF014: 'A workspace needs an owner.',
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

/** Why a sign-in failed. These come from the sign-in service, not from the database. */
export const SIGN_IN_TEXTS = {
  credentials: 'E-mail or password is not right.',
  taken: 'There is an account with this e-mail already. Sign in instead.',
  weakPassword: 'The password needs at least 8 characters, and not the commonest ones.',
  badEmail: 'This does not look like an e-mail address.',
  unconfirmed: 'Open the link in the mail we sent you, then sign in.',
  badCode: 'This code is not right, or it is too old. Look for the newest mail.',
  deadLink: 'This link was used before, or it is too old.',
  otherBrowser: 'A link signs in only in the browser that asked for it.',
  samePassword: 'This is the password you have now.',
  closed: 'This workspace server takes no new accounts this way.',
  tooMany: 'Too many tries. Wait a minute, then try again.',
  unreachable: 'The server does not answer. Check the connection and try again.',
  unknown: 'Something went wrong.',
} as const;

export type SignInProblem = keyof typeof SIGN_IN_TEXTS;
/** `detail` is for the console and for reports; people never see it. */
export type SignInError = { readonly problem: SignInProblem; readonly detail: string };

/** Shown under the field for a link's address. */
export const BAD_ADDRESS = 'An address starts with https://, mailto: or tel:.';

/** Texts about pictures and files. These errors come from the device and from Storage, not from the database. */
export const FILE_TEXTS = {
  tooLarge: 'Files can have 25 MB at most.',
  unreadable: 'This file could not be read.',
  full: 'This device has no room to keep it. Free some, then add it again.',
  waiting: 'Waits on this device',
  sending: 'Uploading',
  failed: 'Could not be uploaded.',
  denied: 'You have no access to this file.',
  notGiven: 'This picture did not come along.',
  keeping: 'Keeping the pictures on this device. What was pasted comes with them.',
  missing: 'On its way from the device of whoever added it.',
  offline: 'Shown when you are online again.',
  broken: 'This picture could not be shown.',
} as const;

export const refusedFilesText = (count: number): string =>
  count === 1 ? 'A file could not be uploaded.' : `${count} files could not be uploaded.`;

export type FileProblem = 'tooLarge' | 'unreadable' | 'full';
