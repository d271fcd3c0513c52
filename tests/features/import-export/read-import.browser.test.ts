// Importing files as pages: what each format brings, with its pictures, and that an exported web page imports unchanged.
import { expect, test } from 'vitest';
import { parseBody } from 'weft-document/body/parse-body.ts';
import { titleOf } from 'weft-document/names.ts';
import { blankSeed } from 'weft-document/seed.ts';
import * as Y from 'yjs';
import { exportPage } from '../../../src/features/import-export/export-page.ts';
import { picturesBeside } from '../../../src/features/import-export/pictures-beside.ts';
import { readImport } from '../../../src/features/import-export/read-import.ts';
import { err, ok } from '../../../src/lib/result.ts';
import type { WritableFiles } from '../../../src/ports/files.ts';
import { parseAttachmentId } from '../../../src/protocol/ids.ts';
import { linesOf } from '../../support/editor/opened-page.ts';

/** The files of a page, in memory. Takes pictures of up to 100 bytes; `added` lists the names of all it received. */
function memoryPageFiles() {
  const added: string[] = [];
  const blobs = new Map<string, Blob>();
  const files: WritableFiles = {
    document: null,
    watch: () => () => undefined,
    original: async (id) => ok(blobs.get(id) ?? new Blob()),
    async add(file) {
      added.push(file.name);
      const id = parseAttachmentId(crypto.randomUUID());
      if (id === null || file.size > 100) return err('tooLarge');
      blobs.set(id, file);
      return ok({ kind: 'image', id, name: file.name, width: 4, height: 2 });
    },
    copy: () => {
      throw new Error('no copies here');
    },
    cancel: () => undefined,
    retry: () => undefined,
  };
  return { files, added };
}

async function imported(name: string, text: string, beside: readonly File[] = []) {
  const pictures = picturesBeside(beside);
  const read = await readImport(new File([text], name), pictures.find);
  if (!read.ok) throw new Error(read.why);
  const doc = new Y.Doc();
  Y.applyUpdate(doc, blankSeed());
  const { files, added } = memoryPageFiles();
  const { pictureFailures } = await read.fill(doc, files);
  const images = parseBody(doc).flatMap((block) => (block.type === 'image' ? [block] : []));
  return {
    doc,
    files,
    added,
    pictureFailures,
    sources: images.map(({ file }) => file),
    names: images.map((image) => image.name),
    unused: pictures.unused(),
    title: titleOf(doc).toString(),
    lines: linesOf({ doc }),
  };
}

const picture = (name: string, bytes = 10) => new File([new Uint8Array(bytes)], name, { type: 'image/png' });
const DATA = 'data:image/png;base64,iVBORw0KGgo=';

test('a Markdown file brings the pictures beside it and the embedded ones', async () => {
  const { added, sources, lines, unused } = await imported(
    'trip.md',
    `# Trip\n\n![Quay](./pics/The%20Quay.PNG)\n\n![][image1]\n\nWords ![small](a.png) and [a link](b.png) go on\n\n| ![in a cell](a.png) |\n| - |\n\n![none](c.png)\n\n\`\`\`css\nurl(${DATA})\n\`\`\`\n\n[image1]: <${DATA}>\n`,
    [picture('the quay.png'), picture('a.png'), picture('unused.png')],
  );
  expect(lines).toEqual([
    'image Quay',
    'image',
    'paragraph: Words small and <b.png:a link> go on',
    'image',
    'table in a cell',
    'image',
    'image none',
    `code(css): url(${DATA})`,
  ]);
  expect(added).toEqual(['the quay.png', 'picture-2.png', 'a.png']);
  expect(sources.map((file) => file !== null)).toEqual([true, true, true, true, false]);
  expect(unused.map(({ name }) => name)).toEqual(['unused.png']);
});

test('a picture that cannot be added is reported, and its block stays empty', async () => {
  const { pictureFailures, lines, sources } = await imported('x.md', '![a](large.png)', [picture('large.png', 200)]);
  expect([lines, sources]).toEqual([['image a'], [null]]);
  expect(pictureFailures).toEqual([{ name: 'large.png', why: 'Files can be at most 25 MB.' }]);
  const embedded = await imported('x.md', `![a](data:image/png;base64,${btoa('x'.repeat(200))})`);
  expect([embedded.lines, embedded.sources, embedded.names]).toEqual([['image a'], [null], ['picture-1.png']]);
});

test('HTML in Markdown is converted or kept as source, and scripts do not run', async () => {
  const { lines } = await imported(
    'readme.md',
    '<h1 align="center"><img src="https://weft.dev/logo.png" alt="Logo"></h1>\n\n<table><tr><td>a</td><td>b</td></tr></table>\n\n<script>document.title = "ran"</script>\n\n<!-- mind this -->\n\nHidden <!-- note --> words\n\n- a\n\n<!-- -->\n\n- b\n',
  );
  expect(lines).toEqual([
    'embed Logo',
    'table a\tb',
    'code(html): <script>document.title = "ran"</script>',
    'code(html): <!-- mind this -->',
    'paragraph: Hidden <!-- note --> words',
    'bullet: a',
    'bullet: b',
  ]);
  expect(document.title).not.toBe('ran');
});

test('a web page’s title is its heading, and foreign `data-weft` attributes are ignored', async () => {
  const { title, lines } = await imported(
    'x.html',
    `<title>Site</title><h1>Name</h1><h2>A</h2><h4>B</h4><p data-weft='{"type":"file","file":"x"}'>words</p><img src="${DATA}" alt="own"><script>1</script>`,
  );
  expect([title, lines]).toEqual(['Name', ['heading1: A', 'heading3: B', 'paragraph: words', 'image own']]);
  expect((await imported('x.html', '<title>Site</title><p>a</p>')).title).toBe('Site');
  expect((await imported('my_notes.htm', '<h1>One</h1><h1>Two</h1>')).title).toBe('my notes');
});

test('plain text keeps its line breaks, unless it looks like Markdown', async () => {
  expect(await imported('a poem.txt', 'one\ntwo\r\n\r\n\nthree\n')).toMatchObject({
    title: 'a poem',
    lines: ['paragraph: one\ntwo', 'paragraph: three'],
  });
  expect((await imported('list.txt', '- one\n- two\n')).lines).toEqual(['bullet: one', 'bullet: two']);
});

test('an exported web page imports as the same page', async () => {
  const source = `# Plan\n\nWords **bold**, *slant*, ~~gone~~, \`code\` and <u>lines</u>, <mark>marked</mark>.\nnext\n\n## Part\n\n- a\n  1. b\n- [x] c\n\n> said\n\n> [!WARNING]\n> mind\n\n<details>\n<summary>More</summary>\n\ninside\n\n</details>\n\n\`\`\`ts\nlet x = 1 < 2;\n  y\n\`\`\`\n\n$$\nx^2\n$$\n\n| h | i |\n| - | - |\n| c | d |\n\n---\n\n![Own](${DATA})\n`;
  const first = await imported('plan.md', source);
  const { text: html } = await exportPage(first.doc, 'html', first.files);
  expect(html).toContain(`<img src="${DATA}"`);
  const again = await imported('plan.html', html);
  expect([again.title, again.lines]).toEqual([first.title, first.lines]);
});
