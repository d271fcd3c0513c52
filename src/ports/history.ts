// The history of a page, read from all rows of its log: the page as of any row, the author of each of its characters, and the
// changes from one row to another. Times are in ms since 1970 by this device's clock.
import type { Block } from 'weft-document/blocks/block.ts';
import type { PageChanges } from 'weft-document/changes/page-changes.ts';
import type { TextPart } from 'weft-document/changes/text-part.ts';
import type { PageFile } from 'weft-document/formats/page-json.ts';
import type { CharacterRange } from 'weft-document/history/character-ids.ts';
import type { WeftError } from 'weft-sync/protocol/errors.ts';
import type { DocumentId, UserId, LinkSecret } from 'weft-sync/protocol/ids.ts';
import type { Cancel } from '../lib/cancel.ts';
import type { Result } from '../lib/result.ts';
import type { Beginning, EditingSession, LinkVersion, Version, VersionKind } from '../protocol/history-answers.ts';
import type { VersionId } from '../protocol/ids.ts';

/** The author and the time of an edit. */
export type Contribution = {
  readonly seq: number;
  readonly at: number | null;
  /** When it began, if it is a compacted row. */
  readonly from?: number;
  /** The account that saved it. Null: it was deleted, or the reader may not know (a watcher by link). */
  readonly by: UserId | null;
  /** That account's app passed it on as the edit of another one (null: deleted). No one can check that, so it is not `by`. */
  readonly passedOnFrom?: UserId | null;
};

export type PageAtMoment = {
  readonly seq: number;
  readonly title: string;
  readonly blocks: readonly Block[];
};

/** UTF-16 offsets in the text of a block's part. */
export type AuthoredRange = { readonly from: number; readonly to: number; readonly contribution: Contribution };
/** By block key, then by part: ranges in order that cover the text. */
export type AuthoredTexts = ReadonlyMap<string, ReadonlyMap<TextPart, readonly AuthoredRange[]>>;

export type AuthoredPage = { readonly page: PageAtMoment; readonly authors: AuthoredTexts };

export type HistoryChanges = AuthoredPage & {
  /** The page as it was. */
  readonly before: PageAtMoment;
  readonly changes: PageChanges;
  /** By block key of `page`: the newest row that changed the block as a whole (created, moved, attributes), or its text. */
  readonly blockContributions: ReadonlyMap<string, Contribution>;
  /**
   * The contribution of each removal: `changes.blocks[…].text.removed` and those of cells, in that order, by block key and part.
   */
  readonly removals: ReadonlyMap<string, ReadonlyMap<TextPart, readonly (Contribution | null)[]>>;
  /** The contribution that removed each block of `changes.removed`, by the removed block's key. */
  readonly blockRemovals: ReadonlyMap<string, Contribution>;
};

/** The counts of an editing session that the database lacks, because it cannot read pages. */
export type EditingSessionWords = {
  readonly insertedWords: number;
  readonly removedWords: number;
  readonly pictures: number;
};

/** One column of the timeline. */
export type TimelineColumn = {
  /** Shares of the timeline, from 0 to 1. A pause of more than two minutes counts as two. */
  readonly start: number;
  readonly end: number;
  readonly fromSeq: number;
  readonly toSeq: number;
  /** The time of row `fromSeq`. */
  readonly from: number;
  /** How high it is drawn, in equal steps: by the number of words, on a logarithmic scale. */
  readonly height: 1 | 2 | 3 | 4 | 5 | 6 | 7;
  /** The person who wrote most in it. */
  readonly by: UserId | null;
};

export type HistoryFailure =
  /** The page costs more than a tab may spend. */
  | 'tooSlow'
  /** There is no such row, or the history is not read that far. */
  | 'unknownRow'
  | 'failed';
type Answer<T> = Promise<Result<T, HistoryFailure>>;

export type HistoryView =
  | { readonly phase: 'loading'; readonly rows: number; readonly head: number | null }
  | {
      readonly phase: 'ready';
      readonly head: number;
      /** Rows that every client skips, because they are damaged. The page as of one is the page before it. */
      readonly skipped: readonly number[];
      /** The page was written by a newer app: blocks that this app does not know are shown as unsupported ones. */
      readonly isNewer: boolean;
      /**
       * How the page's history began again. Another one means that the rows are other ones: anything made from those before has
       * the erased words.
       */
      readonly beginning: Beginning | null;
    }
  /**
   * `gap`: the log lacks a row. `failed`: the worker did not load or broke. Other codes as everywhere: WF001 no access, WF009 the link
   * ended, WF011 offline.
   */
  | { readonly phase: 'failed'; readonly reason: 'gap' | 'tooLarge' | 'tooSlow' | 'failed' | WeftError };

export interface PageHistory {
  readonly getView: () => HistoryView;
  readonly subscribe: (run: () => void) => Cancel;
  /** Reads the rows that were appended since. After a failure, tries again. */
  readonly refresh: () => Promise<void>;
  /** The row, known at once for sliders and labels. Null if it is not read. */
  readonly row: (seq: number) => Contribution | null;
  readonly pageAt: (seq: number) => Answer<PageAtMoment>;
  readonly authors: (seq: number) => Answer<AuthoredPage>;
  /** The changes by rows `from + 1` to `to`. `from` may be the newer one. */
  readonly changes: (from: number, to: number) => Answer<HistoryChanges>;
  readonly wordsOf: (editingSession: Pick<EditingSession, 'fromSeq' | 'toSeq'>) => Answer<EditingSessionWords>;
  readonly timeline: (columns: number) => Answer<readonly TimelineColumn[]>;
  /** The page as a file: for restoring, copying and exporting it. */
  readonly fileAt: (seq: number) => Answer<PageFile>;
  /** The newest page without one person's edits since row `since`, others' edits kept. */
  readonly without: (person: UserId, since: number) => Answer<{ readonly page: PageAtMoment; readonly file: PageFile }>;
  readonly close: () => void;
}

export type EraseFailure =
  | WeftError
  /** Some of the characters are not on the server yet. */
  | 'notSaved'
  /** The part of the app that erases did not load. */
  | 'notLoaded'
  | 'failed';

/**
 * Erases characters of a page for good, with or without other places that say the same, and begins the page's history again. May
 * be repeated after a failure.
 */
export type EraseWords = (withCopies: boolean) => Promise<Result<void, EraseFailure>>;

export type NewVersion = {
  readonly id: VersionId;
  readonly document: DocumentId;
  readonly seq: number;
  readonly name: string | null;
  readonly kind: VersionKind;
};

/** The histories that a signed-in person may read. */
export interface Histories {
  readonly open: (document: DocumentId) => Promise<PageHistory>;
  /** The newest first, of those before row `before` (null: from the newest on), with edits of `person` (null: of anyone). */
  readonly editingSessions: (
    document: DocumentId,
    before: number | null,
    person: UserId | null,
  ) => Promise<Result<readonly EditingSession[], WeftError>>;
  readonly versions: (document: DocumentId) => Promise<Result<readonly Version[], WeftError>>;
  /** Before a restore, with that kind and without a name. */
  readonly nameVersion: (version: NewVersion) => Promise<Result<Version, WeftError>>;
  readonly renameVersion: (version: VersionId, name: string) => Promise<Result<Version, WeftError>>;
  readonly removeVersion: (version: VersionId) => Promise<Result<void, WeftError>>;
  /** Managers of the page only. */
  readonly eraser: (document: DocumentId, characters: readonly CharacterRange[]) => Promise<EraseWords>;
}

/** The history of a page for watchers by a link that shows it. WF002 fails it if the link does not. */
export type LinkHistoryView = PageHistory & {
  readonly versions: {
    readonly get: () => readonly LinkVersion[];
    readonly subscribe: (run: () => void) => Cancel;
    /** Asks for them again: nothing tells watchers that one was named. */
    readonly refresh: () => Promise<void>;
  };
};
export type OpenLinkHistory = (secret: LinkSecret) => Promise<LinkHistoryView>;
