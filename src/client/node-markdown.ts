// Writes pages as Markdown in a thread of Node, each piece with a deadline: hostile text would take minutes.
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import * as v from 'valibot';
import type { PageContent } from 'weft-document/body/page-content.ts';
import type { MarkdownPiece } from 'weft-document/markdown/split-blocks.ts';
import { writePage } from 'weft-document/markdown/write-markdown.ts';
import { DeadlineWorker, type JobWorker } from '../lib/async/deadline-worker.ts';

/** A usual piece takes 20 ms. */
const LIMITS = { deadlineMs: 4_000, shortestDeadlineMs: 500 };
/** The largest page takes half a minute. After this long the rest of a hostile one is written as plain text. */
const PAGE_WITHIN_MS = 120_000;

export class NodeMarkdown {
  readonly #worker = new DeadlineWorker<MarkdownPiece, string>(startThread, v.string(), LIMITS);
  #isClosed = false;

  async write({ title, blocks }: PageContent): Promise<string> {
    const until = performance.now() + PAGE_WITHIN_MS;
    const write = async (piece: MarkdownPiece) => {
      if (this.#isClosed || performance.now() > until) return null;
      const written = await this.#worker.run(piece);
      return written.ok ? written.value : null;
    };
    return (await writePage(write, title, blocks)).text;
  }

  close(): void {
    this.#isClosed = true;
    this.#worker.close();
  }
}

/** Neither the thread nor its listeners keep a program running. */
function startThread(): JobWorker {
  // Beside this file, as TypeScript or built.
  const thread = new Worker(new URL(`./markdown-thread${extname(import.meta.url)}`, import.meta.url));
  thread.unref();
  return {
    postMessage: (job) => thread.postMessage(job),
    terminate: () => void thread.terminate(),
    addEventListener(type: 'message' | 'error', listener: (event: { readonly data: unknown }) => void) {
      if (type === 'message') thread.on('message', (data: unknown) => listener({ data }));
      else thread.on('error', () => listener({ data: null }));
    },
  };
}
