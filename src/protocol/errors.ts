// Errors that have no code of the catalogue (weft-sync/protocol/errors.ts).

/** Why a sign-in failed. The sign-in service or the browser is the cause, never the database. */
export type SignInProblem =
  | 'credentials'
  | 'taken'
  | 'weakPassword'
  | 'badEmail'
  | 'unconfirmed'
  | 'cannotEmail'
  | 'badCode'
  | 'deadLink'
  | 'otherBrowser'
  | 'samePassword'
  | 'closed'
  | 'tooMany'
  | 'unreachable'
  | 'unknown';

/** `detail` is for the console and for reports; people never see it. */
export type SignInError = { readonly problem: SignInProblem; readonly detail: string };

/** The code of an error in the app itself, which has none in the catalogue: short, and the same for the same error. */
export function appErrorCode(error: unknown): string {
  const text =
    error instanceof Error ? `${error.name}${error.message}${error.stack?.split('\n')[1] ?? ''}` : String(error);
  let hash = 5381;
  for (let at = 0; at < text.length; at++) hash = ((hash * 33) ^ text.charCodeAt(at)) >>> 0;
  return `WF-app-${hash.toString(16).padStart(8, '0').slice(0, 4)}`;
}

/** Why a file could not be added to a page or a comment: `full` means that the device has no room. */
export type FileProblem = 'tooLarge' | 'unreadable' | 'noPicture' | 'full';
