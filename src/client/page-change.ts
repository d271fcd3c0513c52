// One change of a page, as the command and the library report it.
import { type BlockChange, blockChanges, replacedWords } from 'weft-document/body/block-changes.ts';
import type { PageContent } from 'weft-document/body/page-content.ts';

export type { BlockChange };

/** The removed and the inserted words of the title. */
export type TitleChange = { readonly removed: string; readonly inserted: string };

/** What a row of the page's log changed: edits of a moment, as they became durable. For several rows see `since`. */
export type PageChange = {
  /** The number of the row. A page's rows are numbered without a gap. */
  readonly seq: number;
  /**
   * The number before it: `seq - 1`. Less only if the server no longer has each row, so that this stands for several.
   */
  readonly since: number;
  /** When it was written, by the clock of the server, such as `2026-11-23T08:14:03.120Z`. Null: not known. */
  readonly at: string | null;
  /** The author. Always null with a link, which shows a page and not its people. */
  readonly author: null;
  /** The page's title after the change. */
  readonly title: string;
  /** Null if the title stayed as it was. */
  readonly titleChange: TitleChange | null;
  /** At most 500. Empty also for a change that no one sees, such as undoing what was just undone. */
  readonly blocks: readonly BlockChange[];
  /** Changed blocks beyond these 500. */
  readonly more: number;
  /** The change is damaged, and every reader skips it. */
  readonly isDamaged: boolean;
};

/** The page as of a change. */
export type PageState = PageContent & { readonly seq: number; readonly at: string | null };

export function pageChange(before: PageState, after: PageState, isDamaged: boolean): PageChange {
  const { changes, more } = blockChanges(before.blocks, after.blocks);
  return {
    seq: after.seq,
    since: before.seq,
    at: after.at,
    author: null,
    title: after.title,
    titleChange: before.title === after.title ? null : replacedWords(before.title, after.title),
    blocks: changes,
    more,
    isDamaged,
  };
}

/** About how much memory a change takes while it waits, in characters. */
export const weightOf = ({ blocks }: PageChange): number =>
  blocks.reduce((sum, { text, removed, inserted }) => sum + text.length + removed.length + inserted.length, 200);
