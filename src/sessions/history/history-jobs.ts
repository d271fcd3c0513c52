// The jobs of the worker that holds a page's history, and its answers.
import * as v from 'valibot';
import type { Block } from 'weft-document/blocks/block.ts';
import type { PageFile } from 'weft-document/formats/page-json.ts';
import type { Authored, ComparedPages } from 'weft-document/history/page-history.ts';
import type { SessionId } from 'weft-sync/protocol/ids.ts';
import type { Row } from 'weft-sync/protocol/row.ts';
import type { LogContribution } from './page-log.ts';

export type Question =
  | { readonly kind: 'page'; readonly seq: number }
  | { readonly kind: 'authors'; readonly seq: number }
  | { readonly kind: 'changes'; readonly from: number; readonly to: number }
  | { readonly kind: 'words'; readonly fromSeq: number; readonly toSeq: number }
  | { readonly kind: 'timeline'; readonly columns: number }
  | { readonly kind: 'file'; readonly seq: number }
  /** The page without these sessions' edits after row `since`. */
  | { readonly kind: 'without'; readonly sessions: readonly SessionId[]; readonly since: number };

/**
 * `known`: how many rows the worker should have. A worker with fewer answers `has` and gets the rows again: it is new, because
 * the one before hung at a question or broke, or because no one asked for a while.
 */
export type HistoryJob =
  | { readonly kind: 'rows'; readonly rows: readonly Row[] }
  /** Forgets all rows: the page's history began again. */
  | { readonly kind: 'restart' }
  | (Question & { readonly known: number });

export type PlainPage = { readonly title: string; readonly blocks: readonly Block[] };
export type Contributions = ReadonlyMap<number, LogContribution>;
/** A column of the timeline with the session that wrote most in it; the worker does not know people. */
export type SessionColumn = {
  readonly start: number;
  readonly end: number;
  readonly fromSeq: number;
  readonly toSeq: number;
  readonly from: number;
  readonly height: number;
  readonly session: SessionId;
  /** A row that this session wrote here. */
  readonly seq: number;
};
/** The answer to each kind of question. */
export type Answers = {
  readonly page: PlainPage;
  readonly authors: { readonly page: PlainPage; readonly authors: Authored; readonly contributions: Contributions };
  readonly changes: ComparedPages & {
    readonly page: PlainPage;
    readonly before: PlainPage;
    readonly contributions: Contributions;
  };
  readonly words: { readonly insertedWords: number; readonly removedWords: number; readonly pictures: number };
  readonly timeline: readonly SessionColumn[];
  readonly file: PageFile;
  readonly without: { readonly page: PlainPage; readonly file: PageFile };
};

/** It comes from our own worker, so the inside of `value` is not checked again. */
export const historyAnswer = v.variant('kind', [
  /** The rows that the worker has now. `skipped` are damaged. */
  v.object({ kind: v.literal('has'), seq: v.number(), skipped: v.array(v.number()) }),
  v.object({ kind: v.literal('value'), value: v.unknown() }),
  v.object({ kind: v.literal('unknownRow') }),
]);
export type HistoryAnswer = v.InferOutput<typeof historyAnswer>;
