// Between ProseMirror's nodes and plain blocks: what is copied and what is pasted.
import { Fragment, type Mark, type Node, type Schema } from '@tiptap/pm/model';
import { type Block, MARKS, PLAIN, type Run, parseStyle } from '../document/block.ts';
import { parseLinkUrl } from '../document/link-url.ts';
import { BLOCK, DIVIDER } from '../document/names.ts';
import { newBlockId } from '../document/new-block-id.ts';
import type { Pasted } from './pasted-blocks.ts';

export function blocksOfFragment(fragment: Fragment): readonly Block[] {
  const blocks: Block[] = [];
  fragment.forEach((node, at) => {
    const place = { key: String(at), id: null };
    if (node.type.name === DIVIDER) blocks.push({ type: 'divider', ...place });
    else if (node.type.name === BLOCK)
      blocks.push({ type: 'block', ...place, ...parseStyle(node.attrs), runs: runsOf(node) });
    else if (node.isText) blocks.push({ type: 'block', ...place, ...parseStyle({}), runs: [runOf(node)] });
  });
  return blocks;
}

/** Each with a new id: given afterwards, one by one, ids would cost the length of the page each. */
export function nodesOfBlocks(schema: Schema, blocks: readonly Pasted[]): readonly Node[] {
  return blocks.map((block) => {
    if (block.type === 'divider') return schema.node(DIVIDER, { id: newBlockId() });
    const { kind, level, indent, checked, language, tone } = block;
    // What has its usual value is not stored: each attribute is bytes in the log for ever.
    const attributes = {
      id: newBlockId(),
      kind,
      level: kind === 'heading' ? level : null,
      indent: indent > 0 ? indent : null,
      checked: kind === 'task' && checked ? true : null,
      language: kind === 'code' ? language : null,
      tone: kind === 'callout' ? tone : null,
    };
    return schema.node(BLOCK, attributes, inlineNodes(schema, block.runs, kind === 'code'));
  });
}

export function inlineNodes(schema: Schema, runs: readonly Run[], plain: boolean): Fragment {
  return Fragment.from(runs.map((run) => schema.text(run.text, plain ? [] : marksOf(schema, run))));
}

function marksOf(schema: Schema, run: Run): Mark[] {
  return MARKS.flatMap((name) => {
    const value = run[name];
    if (value === false || value === null) return [];
    return [schema.mark(name, name === 'link' ? { href: value } : null)];
  });
}

function runsOf(block: Node): readonly Run[] {
  const runs: Run[] = [];
  block.forEach((node) => runs.push(runOf(node)));
  return runs;
}

function runOf(node: Node): Run {
  const has = (name: string) => node.marks.some((mark) => mark.type.name === name);
  const link = node.marks.find((mark) => mark.type.name === 'link');
  return {
    ...PLAIN,
    text: node.text ?? '',
    bold: has('bold'),
    italic: has('italic'),
    underline: has('underline'),
    strike: has('strike'),
    code: has('code'),
    link: parseLinkUrl(link?.attrs['href']),
  };
}
