// The words in which the receipt's details and `/status` say how live updates fared: how many edits of others they showed before
// the edits were saved, and why own edits go out only as rows.
import type { LiveDiagnostics } from 'weft-sync/session/views.ts';
import { capitalized } from '../../lib/text/capitalized.ts';
import type { FallbackReason, LiveCounts } from './live-counts.ts';

type Fact = readonly [name: string, value: string];

const REASONS: Readonly<Record<FallbackReason, string>> = {
  off: 'live updates are off',
  refused: 'the server refused an edit',
  'not joined': 'no live connection yet',
  'not registered': 'first edit not on the server yet',
  'older schema': 'page being brought up to this version of Weft',
  crowded: 'many people writing',
};

/** Describes one open page as it is now. */
export function liveFacts(page: LiveDiagnostics): readonly Fact[] {
  const { withoutText } = page;
  // A session becomes registered with its first edit: until then there is nothing that could be shown.
  const isMissed = withoutText !== null && withoutText !== 'alone' && withoutText !== 'not registered';
  return [
    ...othersFact(page),
    ...(isMissed ? [['Yours are shown once saved', REASONS[withoutText]] as const] : []),
    ...slowdownFact(page),
  ];
}

/** Describes all pages of a tab. Both lists are empty while nothing has been edited together. */
export function liveFactsOfTab(tab: LiveCounts): {
  readonly totals: readonly Fact[];
  readonly reasons: readonly Fact[];
} {
  const reasons = Array.from(tab.fallbacks, ([reason, count]): Fact => [capitalized(REASONS[reason]), times(count)]);
  const isAlwaysLive = tab.hasSentText && reasons.length === 0;
  const own: readonly Fact[] = isAlwaysLive ? [['Your edits sent live', 'always']] : [];
  return { totals: [...othersFact(tab), ...own, ...slowdownFact(tab)], reasons };
}

function othersFact({ shownLive, shownByRow }: Pick<LiveCounts, 'shownLive' | 'shownByRow'>): readonly Fact[] {
  const all = shownLive + shownByRow;
  return all === 0 ? [] : [['Others’ edits shown live', `${inDigits(shownLive)} of ${inDigits(all)}`]];
}

const slowdownFact = ({ slowdowns }: Pick<LiveCounts, 'slowdowns'>): readonly Fact[] =>
  slowdowns === 0 ? [] : [['Slowed down by the server', times(slowdowns)]];

const times = (count: number): string => (count === 1 ? 'once' : `${inDigits(count)} times`);
const inDigits = (count: number): string => count.toLocaleString('en');
