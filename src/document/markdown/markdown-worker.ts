// The worker that parses and writes Markdown. It uses no network and no storage.
import type { Nodes, RootContent } from 'mdast';
import { serveJobs } from '../../lib/async/serve-jobs.ts';
import { writePiece } from './blocks-to-markdown.ts';
import type { MarkdownAnswer, MarkdownJob } from './markdown-jobs.ts';
import { parseMdast, piecesOfMarkdown } from './markdown-to-blocks.ts';
import { wordsBelow } from './mdast-to-blocks.ts';

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

/**
 * Nodes nested deeper become text: the copy is recursive. `mdast-to-blocks.ts` and `phrasing-to-runs.ts` read at most
 * 60 levels each, and a level of a list has two nodes.
 */
const MAX_DEPTH = 200;

/**
 * Makes a tree small enough to be copied to the page. Removes what no one reads, in place: positions, except those of paragraphs
 * and lists, and nodes that nest too deeply.
 */
function slimMdast(nodes: RootContent[]): RootContent[] {
  const queue: { readonly node: Nodes; readonly depth: number }[] = nodes.map((node) => ({ node, depth: 1 }));
  for (let one = queue.pop(); one !== undefined; one = queue.pop()) {
    const { node, depth } = one;
    // `mdast-to-blocks.ts` looks up how an alert and the numbers of a list were written.
    if (node.type !== 'paragraph' && node.type !== 'list') delete node.position;
    if (!('children' in node)) continue;
    if (depth >= MAX_DEPTH) node.children = [{ type: 'text', value: wordsBelow(node.children) }];
    else for (const child of node.children) queue.push({ node: child, depth: depth + 1 });
  }
  return nodes;
}
