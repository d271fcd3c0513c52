// Converts runs of text into mdast's nested marks. Moves spaces at the edge of a mark outside of it, because Markdown
// cannot express them inside.
import type { PhrasingContent } from 'mdast';
import { PLAIN, type Run, textOfRuns } from '../blocks/block.ts';
import { cutFormulas } from '../blocks/inline-formulas.ts';

/**
 * Nesting order from the outside in, for marks of equal length. Mentions and days become plain text: Markdown has no
 * mark for them.
 */
const ORDER = ['link', 'bold', 'italic', 'strike', 'highlight', 'underline'] as const;
type Mark = (typeof ORDER)[number];

/** `newline` is the node for a line break. A table row must stay on one line. */
export function runsToPhrasing(runs: readonly Run[], newline: PhrasingContent = { type: 'break' }): PhrasingContent[] {
  const cut = cutFormulas(runs).map(({ run }) => run);
  const nodes = nest(cut, newline, ORDER);
  if (textOfRuns(cut).split('$').length === 2) markOnlySign(nodes);
  return nodes;
}

function markOnlySign(nodes: readonly PhrasingContent[]): void {
  for (const node of nodes) {
    if (node.type === 'text' && node.value.includes('$')) node.data = { isOnlySign: true };
    else if ('children' in node) markOnlySign(node.children);
  }
}

/** A run with the mark `formula` is one formula. */
function nest(runs: readonly Run[], newline: PhrasingContent, marks: readonly Mark[]): PhrasingContent[] {
  const nodes: PhrasingContent[] = [];
  for (let at = 0; at < runs.length;) {
    const { mark, end } = longestMark(runs, at, marks);
    const range = runs.slice(at, end);
    const value = mark === null ? null : range[0]?.[mark];
    if (mark === null || value === undefined || value === null || value === false) {
      nodes.push(...range.flatMap((run) => wordsOf(run, newline)));
    } else {
      const { before, inner, after } = withoutEdges(range);
      const others = marks.filter((one) => one !== mark);
      const content = nest(inner, newline, others);
      nodes.push(...wordsOf({ ...PLAIN, text: before }, newline));
      if (content.length > 0) nodes.push(...wrap(mark, value, content));
      nodes.push(...wordsOf({ ...PLAIN, text: after }, newline));
    }
    at = end;
  }
  return nodes.flatMap((node, at) => (endsAtSign(node, nodes[at + 1]) ? [node, NOTHING] : [node]));
}

const NOTHING: PhrasingContent = { type: 'html', value: '<!-- -->' };

/** Whether the second sign of a formula would not close it, because of what comes next. */
const endsAtSign = (node: PhrasingContent, next: PhrasingContent | undefined): boolean =>
  node.type === 'inlineMath' && (next?.type === 'inlineMath' || (next?.type === 'text' && /^[\d$]/.test(next.value)));

/** The mark on this run that extends the furthest. Making it the outermost mark cuts the fewest others. */
function longestMark(runs: readonly Run[], from: number, marks: readonly Mark[]): { mark: Mark | null; end: number } {
  let best: { mark: Mark | null; end: number } = { mark: null, end: from + 1 };
  for (const mark of marks) {
    const value = runs[from]?.[mark];
    if (value === undefined || value === null || value === false) continue;
    let end = from + 1;
    while (end < runs.length && runs[end]?.[mark] === value) end++;
    if (best.mark === null || end > best.end) best = { mark, end };
  }
  return best;
}

function wrap(mark: Mark, value: string | true, children: PhrasingContent[]): PhrasingContent[] {
  switch (mark) {
    case 'link':
      return [{ type: 'link', url: String(value), title: null, children }];
    case 'bold':
      return [{ type: 'strong', children }];
    case 'italic':
      return [{ type: 'emphasis', children }];
    case 'strike':
      return [{ type: 'delete', children }];
    case 'highlight':
      return [{ type: 'html', value: '<mark>' }, ...children, { type: 'html', value: '</mark>' }];
    case 'underline':
      return [{ type: 'html', value: '<u>' }, ...children, { type: 'html', value: '</u>' }];
  }
}

function withoutEdges(runs: readonly Run[]) {
  const all = runs.map(({ text }) => text).join('');
  const before = /^\s*/.exec(all)?.[0] ?? '';
  const after = before.length === all.length ? '' : (/\s*$/.exec(all)?.[0] ?? '');
  let at = 0;
  const inner = runs.flatMap((run) => {
    const [from, to] = [at, at + run.text.length];
    at = to;
    const text = run.text.slice(Math.max(0, before.length - from), Math.max(0, all.length - after.length - from));
    return text === '' ? [] : [{ ...run, text }];
  });
  return { before, inner, after };
}

function wordsOf({ text, code, formula, note }: Run, newline: PhrasingContent): PhrasingContent[] {
  if (note !== undefined) return [{ type: 'footnoteReference', identifier: note, label: note }];
  if (formula) return [{ type: 'inlineMath', value: text.slice(1, -1) }];
  return text.split('\n').flatMap((line, at): PhrasingContent[] => {
    const words: PhrasingContent[] =
      line === '' ? [] : [code ? { type: 'inlineCode', value: line } : { type: 'text', value: line }];
    return at === 0 ? words : [newline, ...words];
  });
}
