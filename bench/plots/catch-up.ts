// How the time to catch up grows with the edits that were made offline.
import { linesPicture } from './lines.ts';
import type { Result } from './result.ts';

export const catchUpPicture = ({ machine, figures }: Result): string =>
  linesPicture({
    title: 'Catching up after offline edits',
    notes: ['Milliseconds until both have all, logarithmic.'],
    size: 'edits of each of two people',
    machine,
    // As tall as the latencies, which stand beside it.
    panelHeight: 428,
    panels: [
      {
        head: '',
        lines: Object.entries(figures).map(([system, { values }]) => ({
          system,
          points: Object.entries(values).flatMap(([edits, ms]) =>
            ms === null || edits.includes(': ') ? [] : [[Number(edits), ms] as const],
          ),
        })),
      },
    ],
  });
