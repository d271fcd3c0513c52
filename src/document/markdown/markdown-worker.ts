// The worker that parses and writes Markdown. It uses no network and no storage.
import { serveJobs } from '../../lib/async/serve-jobs.ts';
import { writePiece } from './blocks-to-markdown.ts';
import type { MarkdownAnswer, MarkdownJob } from './markdown-jobs.ts';
import { parseMdast, piecesOfMarkdown } from './markdown-to-blocks.ts';
import { slimMdast } from './slim-mdast.ts';

serveJobs((job) => (isJob(job) ? answer(job) : null));

function answer(job: MarkdownJob): MarkdownAnswer {
  switch (job.kind) {
    case 'split':
      return { kind: 'split', pieces: piecesOfMarkdown(job.source) };
    case 'parse':
      return { kind: 'parse', nodes: slimMdast(parseMdast(job.source).children) };
    case 'write':
      return { kind: 'write', text: writePiece(job.piece) };
  }
}

/** Jobs come only from `background-markdown.ts`. */
const isJob = (data: unknown): data is MarkdownJob => typeof data === 'object' && data !== null && 'kind' in data;
