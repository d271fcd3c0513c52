// Markdown → page → Markdown for the examples of the CommonMark specification and our own GitHub examples.
// `markdown-differences.md` lists everything that changes on the way. This test compares that file, and `vitest run -u`
// rewrites it.
import type { Nodes, Root } from 'mdast';
import { expect, test } from 'vitest';
import { blocksToMarkdown } from 'weft-document/markdown/blocks-to-markdown.ts';
import { markdownToBlocks, parseMdast } from 'weft-document/markdown/markdown-to-blocks.ts';
import commonmark from './fixtures/commonmark-examples.json' with { type: 'json' };
import gfm from './fixtures/gfm-examples.json' with { type: 'json' };

const EXAMPLES = [
  ...commonmark.examples.map(({ number, section, markdown }) => ({
    name: `CommonMark ${number} (${section})`,
    markdown,
  })),
  ...gfm.map((markdown, at) => ({ name: `GFM ${at + 1}`, markdown })),
];

/** The meaning of a tree: no positions, no references, one space for a soft line break, tight and loose lists alike. */
function meaning(root: Root): unknown {
  const urls = new Map<string, { url: string; title?: string | null | undefined }>();
  const gather = (node: Nodes) => {
    if (node.type === 'definition' && !urls.has(node.identifier)) urls.set(node.identifier, node);
    if ('children' in node) node.children.forEach(gather);
  };
  gather(root);
  const plain = (node: Nodes): readonly object[] => {
    if (node.type === 'definition') return [];
    const { position: _, children, ...rest } = node as Nodes & { children?: Nodes[]; spread?: unknown };
    delete (rest as { spread?: unknown }).spread;
    const inner = children === undefined ? {} : { children: joined(children.flatMap(plain)) };
    if (rest.type === 'linkReference' || rest.type === 'imageReference') {
      const { url = '', title = null } = urls.get(rest.identifier) ?? {};
      if (rest.type === 'linkReference') return [{ type: 'link', title, url, ...inner }];
      return [{ type: 'image', title, url, alt: rest.alt }];
    }
    return [{ ...rest, ...inner }];
  };
  return plain(root);
}

function joined(nodes: readonly object[]): readonly object[] {
  const out: { type?: string; value?: string }[] = [];
  for (const node of nodes as readonly { type?: string; value?: string }[]) {
    const before = out.at(-1);
    const one = node.type === 'text' ? { ...node, value: node.value?.replace(/\s*\n\s*/g, ' ') ?? '' } : node;
    if (before?.type === 'text' && one.type === 'text') before.value = `${before.value}${one.value}`;
    else out.push(one);
  }
  return out;
}

const results = EXAMPLES.map(({ name, markdown }) => {
  const blocks = markdownToBlocks(markdown);
  const written = blocksToMarkdown(blocks);
  const isSame = JSON.stringify(meaning(parseMdast(markdown))) === JSON.stringify(meaning(parseMdast(written)));
  return { name, markdown, written, isSame, blocks, reread: markdownToBlocks(written) };
});

const fenced = (text: string) => '````text\n' + text.replaceAll('\t', '→').trimEnd() + '\n````';

test('Markdown comes back with the same meaning, except for the listed differences', async () => {
  const different = results.filter(({ isSame }) => !isSame);
  const list = different.map(
    ({ name, markdown, written }) => `## ${name}\n\n${fenced(markdown)}\n\n${fenced(written)}\n`,
  );
  const head = `# What Markdown loses on its way through a page

Written by \`markdown-round-trip.test.ts\`: ${EXAMPLES.length} examples, ${different.length} of which come back with another meaning. Each shows
the input, then the output (\`→\` is a tab). These differences do not count: soft line breaks and spaces, references and
what they refer to, loose and tight lists, other signs for the same thing. The examples named CommonMark are those of its
specification 0.31, copyright John MacFarlane, CC BY-SA 4.0, as is this list. SPECIFICATION.md, "Markdown, HTML and text,
in and out", sums them up. HTML is read without a browser here: a browser that imports a page understands more of it.
`;
  await expect(`${head}\n${list.join('\n')}`).toMatchFileSnapshot('./markdown-differences.md');
});

test('the Markdown of a page is read as the same page, for every example', () => {
  const changed = results.filter(({ blocks, reread }) => JSON.stringify(blocks) !== JSON.stringify(reread));
  // A card whose URL is no picture's is written as a link.
  expect(changed.map(({ markdown }) => markdown)).toEqual(['![a](https://example.org/a)\n']);
});
