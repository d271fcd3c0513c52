// Why watching a page ended by itself.

/**
 * - `badLink`: this is no share link, no Weft answers there, a link to comment or edit, or a link that does not work.
 * - `revoked`: the link worked and no longer does.
 * - `unreachable`: no answer for as long as was allowed.
 * - `newerPage`: the page was edited with a newer version of Weft than this one.
 * - `otherHistory`: the page ends before the place where watching should go on, as after a restored backup.
 */
export type WatchErrorCode = 'badLink' | 'revoked' | 'unreachable' | 'newerPage' | 'otherHistory';

const TEXTS: Readonly<Record<WatchErrorCode, string>> = {
  badLink: 'This link doesn’t work.',
  revoked: 'The link was revoked, or it expired.',
  unreachable: 'Can’t reach the server.',
  newerPage: 'The page was edited with a newer version of Weft. Update this one.',
  otherHistory: 'The page is older than what was watched before: a backup was restored.',
};

export class WatchError extends Error {
  override readonly name = 'WatchError';
  readonly code: WatchErrorCode;

  /** `detail` says more, for the person who runs the script. It never contains the link. */
  constructor(code: WatchErrorCode, detail = '') {
    super(detail === '' ? TEXTS[code] : `${TEXTS[code]} (${detail})`);
    this.code = code;
  }
}
