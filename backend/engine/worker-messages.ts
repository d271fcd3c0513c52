// What the thread that asks and the thread that runs PGlite say to each other. All of it can be cloned.
import type { Settings } from '../engine.ts';
import type { InterruptFlags } from './cancel-switch.ts';
import type { ErrorFields } from './database-error.ts';
import type { Column, TextRow } from './values.ts';

export type WorkerInput = {
  /** Null: in memory. */
  readonly dir: string | null;
  /** A database to begin with, in memory. */
  readonly image: Uint8Array<ArrayBuffer> | null;
  readonly cancelSwitch: SharedArrayBuffer;
};

export type Work =
  | { readonly kind: 'query'; readonly sql: string; readonly params: readonly unknown[] }
  | { readonly kind: 'queryAs'; readonly settings: Settings; readonly sql: string; readonly params: readonly unknown[] }
  | { readonly kind: 'exec'; readonly sql: string }
  | { readonly kind: 'begin' }
  | { readonly kind: 'commit' }
  | { readonly kind: 'rollback' }
  | { readonly kind: 'listen'; readonly channel: string }
  | { readonly kind: 'unlisten'; readonly channel: string }
  | { readonly kind: 'image' }
  | { readonly kind: 'close' };

export type Job = {
  /** Above zero. */
  readonly id: number;
  /** The transaction it belongs to, which began with its `begin`; null: none. */
  readonly transaction: number | null;
  readonly limitMs: number | null;
  readonly work: Work;
};

export type Result = {
  readonly columns: readonly Column[];
  readonly rows: readonly TextRow[];
  readonly affectedRows: number | undefined;
};

export type Report =
  | { readonly kind: 'ready'; readonly flags: InterruptFlags }
  | { readonly kind: 'done'; readonly id: number; readonly result: Result }
  | { readonly kind: 'image'; readonly id: number; readonly bytes: ArrayBuffer }
  | { readonly kind: 'failed'; readonly id: number; readonly error: ErrorFields }
  | { readonly kind: 'notification'; readonly channel: string; readonly payload: string };
