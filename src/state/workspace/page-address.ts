// URLs of pages and workspaces. The id at the end identifies a page; the words before it are for people.
import { type DocumentId, parseDocumentId, type LinkSecret } from 'weft-sync/protocol/ids.ts';
import type { DocumentSummary } from '../../protocol/answers.ts';
import { type ThreadId, parseLinkSecret, parseThreadId } from '../../protocol/ids.ts';

const UUID_LENGTH = 36;
const MAX_SLUG_LENGTH = 60;

/** Keeps digits and letters of any script, Latin ones without accents, with hyphens for the rest. Empty if there are none. */
export function slugOf(title: string): string {
  const words = title
    .normalize('NFKD')
    .replace(/(^|[^\p{L}\p{M}]|\p{Script=Latin})\p{M}+/gu, '$1')
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-');
  return Array.from(words)
    .slice(0, MAX_SLUG_LENGTH)
    .join('')
    .replace(/^-+|-+$/g, '');
}

export const pageParam = (page: { readonly id: DocumentId; readonly title: string }): string => {
  const slug = slugOf(page.title);
  return slug === '' ? page.id : `${slug}-${page.id}`;
};

/** Parses the id at the end of the URL's last part, whatever comes before it. */
export const parsePageParam = (param: string): DocumentId | null => parseDocumentId(param.slice(-UUID_LENGTH));

export const membersPath = (slug: string): string => `/w/${slug}/members`;
export const settingsPath = (slug: string): string => `/w/${slug}/settings`;
export const trashPath = (slug: string): string => `/w/${slug}/trash`;
export const searchPath = (slug: string): string => `/w/${slug}/search`;
/** The search screen, with this text searched for. */
export const searchAddress = (slug: string, text: string): string =>
  text === '' ? searchPath(slug) : `${searchPath(slug)}?${new URLSearchParams({ q: text }).toString()}`;
export const workspacePath = (slug: string): string => `/w/${slug}`;
export const pagePath = (slug: string, page: Pick<DocumentSummary, 'id' | 'title'>): string =>
  `${workspacePath(slug)}/p/${pageParam(page)}`;

/** The address of the history of the page at this path. */
export const historyAddress = (path: string): string => `${path}/history`;
const SEQ_PARAMETER = 'seq';
/** The history, at the page as of this row of its log. */
export const momentAddress = (path: string, seq: number): string => `${historyAddress(path)}?${SEQ_PARAMETER}=${seq}`;
/** The row in the search of such an address; null if it has none. */
export function momentInSearch(search: string): number | null {
  const seq = Number(new URLSearchParams(search).get(SEQ_PARAMETER) ?? NaN);
  return Number.isSafeInteger(seq) && seq > 0 ? seq : null;
}

const SAFE_PARAMETER = 'safe';

/** The address of the safe view of the page at this path. */
export const safeViewAddress = (path: string): string => `${path}?${SAFE_PARAMETER}`;
export const isSafeViewSearch = (search: string): boolean => new URLSearchParams(search).has(SAFE_PARAMETER);
/** Whether a page opens at this path, and not its full-screen view or another screen. */
export const isPagePath = (path: string): boolean => {
  const param = /^\/w\/[^/]+\/p\/([^/]+)$/.exec(path)?.[1];
  return param !== undefined && parsePageParam(param) !== null;
};

/** The history of the page behind a link, with the hash of the link's address. */
export const linkHistoryPath = (hash: string): string => `/s/history${hash}`;
/** The secret follows `#`, so that no server sees it and no referrer contains it. */
export const linkAddress = (origin: string, secret: LinkSecret): string => `${origin}/s#${secret}`;
export const inviteAddress = (origin: string, secret: LinkSecret): string => `${origin}/i#${secret}`;
export const parseLinkHash = (hash: string): LinkSecret | null => parseLinkSecret(hash.replace(/^#/, ''));

/** Words to find in a page, and the text from there on, which tells equal places apart. */
export type PageMatch = { readonly words: string; readonly context: string };

/** The hash of a page's address that opens it at a match. Behind `#`, so that no server sees the searched words. */
export const matchHash = ({ words, context }: PageMatch): string =>
  `#${new URLSearchParams({ find: words, at: context }).toString()}`;
export function parseMatchHash(hash: string): PageMatch | null {
  const parameters = new URLSearchParams(hash.replace(/^#/, ''));
  const words = parameters.get('find') ?? '';
  return words === '' ? null : { words, context: parameters.get('at') ?? '' };
}

const THREAD_HASH = '#c-';

/** The hash of a page's address that opens it at a comment thread. */
export const threadHash = (thread: ThreadId): string => `${THREAD_HASH}${thread}`;
export const parseThreadHash = (hash: string): ThreadId | null =>
  hash.startsWith(THREAD_HASH) ? parseThreadId(hash.slice(THREAD_HASH.length)) : null;

/** `?wall` after the address of a watched page: it is shown on a wall. */
export const isWallSearch = (search: string): boolean => new URLSearchParams(search).has('wall');
