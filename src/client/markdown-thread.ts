// The thread that writes Markdown in Node, as `markdown-worker.ts` does in a browser.
import { parentPort } from 'node:worker_threads';
import { writePiece } from 'weft-document/markdown/blocks-to-markdown.ts';
import type { MarkdownPiece } from 'weft-document/markdown/split-blocks.ts';
import { READY } from '../lib/async/deadline-worker.ts';

// Jobs come only from `node-markdown.ts`.
parentPort?.on('message', (piece: MarkdownPiece) => {
  let text: string | null = null;
  try {
    text = writePiece(piece);
  } catch {
    // Blocks of strangers may nest too deeply: `writePage` then writes the piece as plain text.
  }
  parentPort?.postMessage(text);
});
parentPort?.postMessage(READY);
