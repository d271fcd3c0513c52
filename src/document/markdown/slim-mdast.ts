// Makes a parsed Markdown tree small enough to be copied from the worker to the page.
import type { Nodes, RootContent } from 'mdast';
import { wordsBelow } from './mdast-to-blocks.ts';

/**
 * Nodes nested deeper become text: the copy is recursive. `mdast-to-blocks.ts` and `phrasing-to-runs.ts` read at most
 * 60 levels each, and a level of a list has two nodes.
 */
const MAX_DEPTH = 200;

/** Removes what no one reads, in place: positions, except those of paragraphs and lists, and nodes that nest too deeply. */
export function slimMdast(nodes: RootContent[]): RootContent[] {
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
