// What the receipt's details say about live updates: how many edits of others they showed before the edits were saved, and why
// this page's own edits do not go out in them now.
import type { LiveDiagnostics } from '../../sync/session/views.ts';

type Reason = NonNullable<LiveDiagnostics['withoutText']>;

/** Null: nobody misses anything. */
const REASONS: Readonly<Record<Reason, string | null>> = {
  alone: null,
  off: 'live updates are off',
  refused: 'the server refused an edit',
  'not joined': 'the live connection is not there yet',
  'not registered': 'the first edit is not on the server yet',
  'older schema': 'the page is being brought up to this version of Weft',
  crowded: 'many people write here',
};

export function liveFacts({ shownLive, shownByRow, slowdowns, withoutText }: LiveDiagnostics) {
  const facts: (readonly [name: string, value: string])[] = [];
  const all = shownLive + shownByRow;
  const number = (count: number) => count.toLocaleString('en');
  if (all > 0) facts.push(['Others’ edits shown live', `${number(shownLive)} of ${number(all)}`]);
  const reason = withoutText === null ? null : REASONS[withoutText];
  if (reason !== null) facts.push(['Yours are shown once saved', reason]);
  if (slowdowns > 0) facts.push(['Slowed down by the server', slowdowns === 1 ? 'once' : `${number(slowdowns)} times`]);
  return facts;
}
