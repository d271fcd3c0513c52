// The authors of the selected words, from the history of the page on the server. Characters that the server does not have yet are
// counted separately.
import { textsOf } from 'weft-document/changes/text-part.ts';
import { textChange } from 'weft-document/title.ts';
import type { UserId } from 'weft-sync/protocol/ids.ts';
import type { SelectedText } from '../../editor/changes/selected-texts.ts';
import type { AuthoredPage, Contribution } from '../../ports/history.ts';

/**
 * One account, and what it saved of the words. Words that it passed on for another account are a writer of their own.
 */
export type Writer = {
  readonly by: UserId | null;
  readonly passedOnFrom?: UserId | null;
  readonly first: Contribution;
  readonly last: Contribution;
  readonly characters: number;
};
export type Writers = {
  /** The one with the most characters first. */
  readonly writers: readonly Writer[];
  /** Characters that the history does not have. */
  readonly unknown: number;
};

export function writersOf(selected: readonly SelectedText[], { page, authors }: AuthoredPage): Writers {
  const keys = new Set(selected.map(({ key }) => key));
  const texts = new Map(page.blocks.filter(({ key }) => keys.has(key)).map((block) => [block.key, textsOf(block)]));
  const writers = new Map<string, Writer>();
  let unknown = 0;
  for (const { key, part, text, from, to } of selected) {
    const stored = texts.get(key)?.get(part);
    if (stored === undefined) {
      unknown += to - from;
      continue;
    }
    const { index, remove, insert } = textChange(stored, text);
    const end = index + insert.length;
    unknown += Math.max(0, Math.min(to, end) - Math.max(from, index));
    // The characters before and behind the difference are the same in both.
    const shift = remove - insert.length;
    const ranges = [
      [from, Math.min(to, index)],
      [Math.max(from, end) + shift, to + shift],
    ] as const;
    for (const one of authors.get(key)?.get(part) ?? []) {
      for (const [start, stop] of ranges) {
        const characters = Math.min(one.to, stop) - Math.max(one.from, start);
        if (characters > 0) add(writers, one.contribution, characters);
      }
    }
  }
  return { writers: Array.from(writers.values()).sort((a, b) => b.characters - a.characters), unknown };
}

function add(writers: Map<string, Writer>, contribution: Contribution, characters: number): void {
  const { by, passedOnFrom } = contribution;
  const name = `${by ?? ''} ${String(passedOnFrom)}`;
  const known = writers.get(name);
  writers.set(name, {
    by,
    ...(passedOnFrom !== undefined && { passedOnFrom }),
    first: known === undefined || contribution.seq < known.first.seq ? contribution : known.first,
    last: known === undefined || contribution.seq > known.last.seq ? contribution : known.last,
    characters: (known?.characters ?? 0) + characters,
  });
}
