// What the trash says about a page.
import type { UserId } from 'weft-sync/protocol/ids.ts';
import { capitalized } from '../../lib/text/capitalized.ts';
import { counted } from '../../lib/text/counted.ts';
import { shortDate } from '../../lib/text/times.ts';
import type { TrashEntry } from '../../protocol/answers.ts';
import { shownTitle } from '../../texts/content-texts.ts';

const DAY_MS = 24 * 60 * 60_000;
const KEPT_DAYS = 30;

/** How many pages go with this entry, itself included. */
export const pagesOf = ({ pages }: TrashEntry): number => pages + 1;

export function daysLeft({ trashedAt }: TrashEntry, now: number): string {
  const days = KEPT_DAYS - Math.floor((now - trashedAt) / DAY_MS);
  if (days <= 0) return 'deleted today';
  return days === 1 ? '1 day left' : `${Math.min(days, KEPT_DAYS)} days left`;
}

/** "Ada, yesterday · 14 pages inside · was in Minutes". `nameOf` answers null while a name loads. */
export function factsOf(entry: TrashEntry, now: number, nameOf: (person: UserId) => string | null): string {
  const { document, trashedAt, trashedBy, pages, parentTitle } = entry;
  const by = trashedBy === null ? null : nameOf(trashedBy);
  const facts = [capitalized(`${by === null ? '' : `${by}, `}${shortDate(trashedAt, now)}`)];
  if (pages > 0) facts.push(`${counted(pages, 'page')} inside`);
  if (entry.isEmpty) facts.push('empty');
  // A page that was at the top comes back to where it was.
  if (entry.restoresToTop && document.parentId !== null) facts.push('restores to the top level');
  else if (parentTitle !== null) facts.push(`was in ${shownTitle(parentTitle)}`);
  return facts.join(' · ');
}

/** The end of “Restored …”: “ to Minutes”. */
export const whereTo = ({ parentTitle }: TrashEntry): string =>
  parentTitle === null ? '' : ` to ${shownTitle(parentTitle)}`;

/** "its history", "their history and 23 files": what is deleted with pages. */
export const withHistory = (pages: number, files: number): string =>
  `${pages === 1 ? 'its' : 'their'} history${files === 0 ? '' : ` and ${counted(files, 'file')}`}`;
