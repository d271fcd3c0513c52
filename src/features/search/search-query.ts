// A search in the form of its screen's address, so that going back and reloading find it again.
import { parseDay } from 'weft-document/body/parse-body.ts';
import { type DocumentId, type UserId, parseDocumentId, parseUserId } from 'weft-sync/protocol/ids.ts';
import type { SearchFilters } from '../../protocol/search-answers.ts';

export const PERIODS = ['today', 'week', 'month', 'year'] as const;
export type Period = (typeof PERIODS)[number];

/** Days as 2026-11-23, both included; an empty one is open. */
export type Between = { readonly from: string; readonly to: string };

export type SearchQuery = {
  readonly text: string;
  readonly author: UserId | null;
  readonly when: Period | Between | null;
  readonly below: DocumentId | null;
  /** The last change first, instead of the best match. */
  readonly isNewestFirst: boolean;
};

const KEYS = { text: 'q', author: 'by', when: 'when', from: 'from', to: 'to', below: 'in', sort: 'sort' };

export function parseSearchQuery(parameters: URLSearchParams): SearchQuery {
  const get = (key: keyof typeof KEYS) => parameters.get(KEYS[key]) ?? '';
  // The address may have been typed: 2026-23-11 is no day.
  const day = (key: 'from' | 'to') => parseDay(get(key)) ?? '';
  const period = PERIODS.find((one) => one === get('when')) ?? null;
  const between = { from: day('from'), to: day('to') };
  return {
    text: get('text'),
    author: parseUserId(get('author')),
    when: between.from === '' && between.to === '' ? period : between,
    below: parseDocumentId(get('below')),
    isNewestFirst: get('sort') === 'newest',
  };
}

export function searchParameters({ text, author, when, below, isNewestFirst }: SearchQuery): Record<string, string> {
  const period = typeof when === 'string' ? when : null;
  const between = typeof when === 'string' ? null : when;
  const all = [
    [KEYS.text, text],
    [KEYS.author, author ?? ''],
    [KEYS.when, period ?? ''],
    [KEYS.from, between?.from ?? ''],
    [KEYS.to, between?.to ?? ''],
    [KEYS.below, below ?? ''],
    [KEYS.sort, isNewestFirst ? 'newest' : ''],
  ] as const;
  return Object.fromEntries(all.filter(([, value]) => value !== ''));
}

/** The filters as the search takes them. Days begin and end in this person's time zone. */
export function filtersOf({ author, when, below, isNewestFirst }: SearchQuery, now: number): SearchFilters {
  const between = typeof when === 'string' ? { since: periodStart(when, now) } : when === null ? {} : timesOf(when);
  return {
    ...(author === null ? {} : { author }),
    ...between,
    ...(below === null ? {} : { below }),
    ...(isNewestFirst ? { newestFirst: true } : {}),
  };
}

export const hasFilters = ({ author, when, below }: SearchQuery): boolean =>
  author !== null || when !== null || below !== null;

const DAYS_BACK = { today: 0, week: 7, month: 30, year: 365 } as const;

function periodStart(period: Period, now: number): number {
  const start = new Date(now);
  start.setHours(0, 0, 0, 0);
  start.setDate(start.getDate() - DAYS_BACK[period]);
  return start.getTime();
}

function timesOf({ from, to }: Between): { since?: number; until?: number } {
  const end = new Date(`${to}T00:00`);
  end.setDate(end.getDate() + 1);
  return {
    ...(from === '' ? {} : { since: new Date(`${from}T00:00`).getTime() }),
    ...(to === '' ? {} : { until: end.getTime() }),
  };
}
