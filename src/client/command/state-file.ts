// The progress of a watch, on disk. FILE holds the number up to which changes are printed and is written after each
// output. FILE.page holds the page at that change or an earlier one and is written rarely: it may have megabytes.
// Neither has the link's secret.
import { readFile } from 'node:fs/promises';
import * as v from 'valibot';
import { MAX_STATE_BYTES } from 'weft-sync/protocol/limits.ts';
import { fromBase64, toBase64 } from '../../lib/bytes.ts';
import { deflate, inflate } from '../../lib/deflate.ts';
import { parseJsonOrNull } from '../../lib/parse-or-null.ts';
import { sha256 } from '../../lib/sha256.ts';
import type { Start } from '../page-watch.ts';
import { replaceFile } from './replace-file.ts';

const VERSION = 1;
/** After changes the page is written again, at most this often. A restart fetches the rows since that page. */
const PAGE_EVERY_MS = 60_000;

const progress = v.object({ version: v.literal(VERSION), link: v.string(), seq: v.pipe(v.number(), v.integer()) });
const storedPage = v.object({
  ...progress.entries,
  sha256: v.string(),
  page: v.string(),
  /** Missing in files of an earlier release. */
  at: v.optional(v.nullable(v.pipe(v.number(), v.integer())), null),
});

/** `foreign`: the file is of another link, or no state file at all. */
export type ReadState = { readonly kind: 'none' | 'foreign' } | { readonly kind: 'found'; readonly start: Start };

export class StateFile {
  readonly #file: string;
  readonly #link: string;
  #pageWrittenAt = Number.NEGATIVE_INFINITY;

  /** `link` is the link's fingerprint. */
  constructor(file: string, link: string) {
    this.#file = file;
    this.#link = link;
  }

  async read(): Promise<ReadState> {
    const text = await readIfThere(this.#file);
    if (text === null) return { kind: 'none' };
    const known = parseJsonOrNull(progress, text);
    if (known === null || known.link !== this.#link) return { kind: 'foreign' };
    return { kind: 'found', start: { seq: known.seq, stored: await this.#readPage(known.seq) } };
  }

  /** Call it when everything up to there is printed. Without `withPage` the page is written only if it is due. */
  async write({ seq, stored }: Start, withPage: boolean): Promise<void> {
    const head = { version: VERSION, link: this.#link, seq } as const;
    await replaceFile(this.#file, `${JSON.stringify(head)}\n`);
    // The page comes second: it is never newer than what was printed.
    const isDue = withPage || performance.now() - this.#pageWrittenAt >= PAGE_EVERY_MS;
    if (stored === null || !isDue) return;
    const page = await deflate(stored.state);
    const whole = {
      ...head,
      seq: stored.seq,
      sha256: await sha256(page),
      page: toBase64(page),
      at: stored.at,
    };
    await replaceFile(this.#pageFile, `${JSON.stringify(whole)}\n`);
    this.#pageWrittenAt = performance.now();
  }

  get #pageFile(): string {
    return `${this.#file}.page`;
  }

  /** Null without a page that can be used: then all rows are fetched again. */
  async #readPage(seq: number): Promise<Start['stored']> {
    const known = parseJsonOrNull(storedPage, await readIfThere(this.#pageFile));
    const page = known === null ? null : fromBase64(known.page);
    if (known === null || page === null || known.link !== this.#link || known.seq > seq) return null;
    if ((await sha256(page)) !== known.sha256) return null;
    const state = await inflate(page, MAX_STATE_BYTES).catch(() => null);
    return state === null ? null : { seq: known.seq, at: known.at, state };
  }
}

async function readIfThere(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}
