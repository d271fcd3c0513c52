// A page with each range of its text underlined in the color of its author.
import { textsOf } from 'weft-document/changes/text-part.ts';
import type { BlockNote, HistoryMark } from '../../../editor/changes/shown-changes.ts';
import type { AuthoredPage, Contribution } from '../../../ports/history.ts';
import { rangesIn } from './changes-page.ts';
import { type SaysWho, type ShownPage, noteOf, plainPage } from './shown-page.ts';

/** More ranges take a browser seconds to draw. */
const MAX_RANGES = 10_000;

export function authorsPage({ page, authors }: AuthoredPage, saysWho: SaysWho): ShownPage {
  const marks = new Map<string, readonly HistoryMark[]>();
  const notes = new Map<string, BlockNote>();
  let left = MAX_RANGES;
  /** The author of the block above, if no one else wrote in it. */
  let above: Contribution['by'] | undefined;
  for (const block of page.blocks) {
    const found: HistoryMark[] = [];
    /** Characters by author. */
    const characters = new Map<Contribution['by'], { count: number; contribution: Contribution }>();
    for (const [part, text] of textsOf(block)) {
      for (const { from, to, contribution } of rangesIn(authors.get(block.key)?.get(part) ?? [], 0, text.length)) {
        const known = characters.get(contribution.by) ?? { count: 0, contribution };
        characters.set(contribution.by, { count: known.count + to - from, contribution: known.contribution });
        left -= 1;
        if (left < 0) continue;
        const { says, dye } = saysWho(contribution);
        found.push({
          type: 'text',
          part,
          from,
          to,
          // Authors are no steps to go through.
          step: -1,
          look: { kind: 'written', dye, says: `Written by ${says}` },
        });
      }
    }
    if (found.length > 0) marks.set(block.key, found);
    const [most] = Array.from(characters.values()).toSorted((one, other) => other.count - one.count);
    if (most === undefined) continue;
    const alone = characters.size === 1 ? most.contribution.by : undefined;
    if (alone === undefined || alone !== above)
      notes.set(block.key, noteOf(most.contribution, saysWho, { others: characters.size - 1 }));
    above = alone;
  }
  return { ...plainPage(page.title, page.blocks), marks, notes, isCut: left < 0 };
}
