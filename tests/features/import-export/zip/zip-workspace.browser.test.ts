// The zip of a workspace, opened by another library: folders like the tree, Markdown that names the files beside it, and pages
// or files that cannot be read.
import { unzipSync } from 'fflate';
import { expect, test } from 'vitest';
import { titleOf } from 'weft-document/names.ts';
import { blankSeed } from 'weft-document/seed.ts';
import { weftError } from 'weft-sync/protocol/errors.ts';
import type { DocumentId } from 'weft-sync/protocol/ids.ts';
import * as Y from 'yjs';
import { readImport } from '../../../../src/features/import-export/read-import.ts';
import { pageFile } from '../../../../src/features/import-export/zip/page-file.ts';
import { zipWorkspace } from '../../../../src/features/import-export/zip/zip-workspace.ts';
import { err, ok } from '../../../../src/lib/result.ts';
import type { WritableFiles } from '../../../../src/ports/files.ts';
import type { PageReader } from '../../../../src/ports/workspace.ts';
import { parseAttachmentId } from '../../../../src/protocol/ids.ts';
import { indexOf } from '../../../../src/state/workspace/tree/page-index.ts';
import { documentId, northquay, pageSummary, profiles } from '../../../support/app/app-fixture.ts';
import { commentOf, threadOf } from '../../../support/app/shown-comments.ts';

const FILE_ID = '00000009-0000-4000-8000-000000000001';

const files: WritableFiles = {
  document: null,
  watch: () => () => undefined,
  original: async () => ok(new Blob()),
  async add(file) {
    const id = parseAttachmentId(FILE_ID);
    return id === null ? err('unreadable') : ok({ kind: 'image', id, name: file.name, width: 4, height: 2 });
  },
  copy: () => {
    throw new Error('no copies here');
  },
  cancel: () => undefined,
  retry: () => undefined,
};

const NOTHING_ELSE = { subpages: [], comments: [], people: new Map() };

async function pageOf(title: string, markdown: string): Promise<Y.Doc> {
  const doc = new Y.Doc();
  Y.applyUpdate(doc, blankSeed());
  const picture = new File(['pixels'], 'chart.png', { type: 'image/png' });
  const read = await readImport(new File([markdown], 'page.md'), () => picture);
  if (!read.ok) throw new Error(read.why);
  await read.fill(doc, files);
  titleOf(doc).delete(0, titleOf(doc).length);
  titleOf(doc).insert(0, title);
  return doc;
}

const documents = [
  pageSummary(1, 'Harbour swim'),
  pageSummary(2, 'Plan', { parentId: documentId(1) }),
  pageSummary(3, 'plan', { parentId: documentId(1) }),
  pageSummary(4, 'Waves: "14 June"', { parentId: documentId(2) }),
];

async function exported(change: Partial<PageReader> = {}, signal = new AbortController().signal) {
  const pages = new Map<DocumentId, Y.Doc>([
    [documentId(1), await pageOf('Harbour swim', 'Bring towels.')],
    [documentId(2), await pageOf('Plan', 'Before\n\n![The chart](pictures/chart.png)\n')],
    [documentId(3), await pageOf('plan', 'Another one.')],
    [documentId(4), await pageOf('Waves: "14 June"', '- [x] Juniors')],
  ]);
  const progress: number[] = [];
  const waits: number[] = [];
  const answer = await zipWorkspace({
    workspace: northquay,
    index: indexOf(documents),
    reader: {
      read: async (id) => ok(pages.get(id) ?? new Y.Doc()),
      file: async () => ok(new Blob(['pixels'])),
      ...change,
    },
    now: Date.UTC(2026, 5, 14),
    wait: async (ms) => void waits.push(ms),
    signal,
    onProgress: (done) => void progress.push(done),
  });
  return { answer, progress, waits };
}

const textsIn = async (zip: Blob): Promise<Readonly<Record<string, string>>> =>
  Object.fromEntries(
    Object.entries(unzipSync(new Uint8Array(await zip.arrayBuffer()))).map(([name, bytes]) => [
      name.replace('Northquay/', ''),
      new TextDecoder().decode(bytes),
    ]),
  );

test('pages lie in folders like the tree, with their files beside them, as Markdown and as Weft files', async () => {
  const { answer, progress } = await exported();
  if (!answer.ok) throw new Error('it failed');
  const texts = await textsIn(answer.value.zip);
  expect(Object.keys(texts).filter((name) => name.startsWith('markdown/'))).toEqual([
    'markdown/Harbour swim.md',
    'markdown/Harbour swim/Plan/files/chart.png',
    'markdown/Harbour swim/Plan.md',
    'markdown/Harbour swim/Plan/Waves 14 June.md',
    'markdown/Harbour swim/plan 2.md',
  ]);
  expect(texts['markdown/Harbour swim/Plan.md']).toBe('# Plan\n\nBefore\n\n![The chart](Plan/files/chart.png)\n');
  expect(texts['markdown/Harbour swim/Plan/files/chart.png']).toBe('pixels');
  expect(progress).toEqual([1, 2, 3, 4]);
  const contents = JSON.parse(texts['weft/workspace.json'] ?? '');
  expect(contents).toMatchObject({ format: 'weft-workspace', name: 'Northquay', missing: [] });
  expect(contents.pages[1]).toMatchObject({
    id: documentId(2),
    parentId: documentId(1),
    markdown: 'markdown/Harbour swim/Plan.md',
    files: [{ id: FILE_ID, name: 'chart.png', path: 'markdown/Harbour swim/Plan/files/chart.png' }],
  });
  // An import reads the exported page.
  const read = await readImport(new File([texts[contents.pages[3].weft] ?? ''], 'page.json'), () => null);
  expect(read.ok).toBe(true);
});

test('a page or file that is gone is left out and named; an unreachable server is asked again, then the export fails', async () => {
  const gone = await exported({ file: async () => err(weftError('WF001')) });
  if (!gone.answer.ok) throw new Error('it failed');
  expect([gone.answer.value.pages, gone.answer.value.missing]).toEqual([4, 1]);
  expect(JSON.parse((await textsIn(gone.answer.value.zip))['weft/workspace.json'] ?? '').missing).toEqual([
    { document: documentId(2), file: FILE_ID },
  ]);
  const offline = await exported({ read: async () => err(weftError('WF011')) });
  expect(offline.answer).toMatchObject({ ok: false, error: { code: 'WF011' } });
  // Four pages are read at once, and each waits.
  expect(offline.waits.toSorted((a, b) => a - b)).toEqual([1_000, 4_000, 15_000].flatMap((ms) => [ms, ms, ms, ms]));
});

test('a cancelled export reads nothing more', async () => {
  const controller = new AbortController();
  let reads = 0;
  const { answer } = await exported(
    {
      async read() {
        reads++;
        controller.abort();
        return ok(new Y.Doc());
      },
    },
    controller.signal,
  );
  expect(answer).toEqual({ ok: false, error: null });
  expect(reads).toBe(1);
});

test('a picture that cannot be read, as offline, does not keep the words and comments of a page from being exported', async () => {
  const open = await pageOf('Plan', 'Words\n\n![The chart](chart.png)');
  const saved = await pageFile(
    {
      ...NOTHING_ELSE,
      comments: [threadOf(1, [commentOf(1, 'Which chart?')], { anchor: { kind: 'page' } })],
      people: new Map(profiles.map((person) => [person.id, person])),
      document: documentId(1),
      doc: open,
      files: { ...files, original: async () => err(weftError('WF011')) },
      reader: { read: async () => err(weftError('WF011')), file: async () => err(weftError('WF011')) },
    },
    'md',
    [],
  );
  if (!saved.ok) throw new Error('it failed');
  expect(saved.value.note).toBe('1 page or file couldn’t be read.');
  const unzipped = unzipSync(new Uint8Array(await saved.value.blob.arrayBuffer()));
  expect(Object.keys(unzipped)).toEqual(['Plan/Plan.md']);
  expect(new TextDecoder().decode(unzipped['Plan/Plan.md'])).toMatch(
    /Words\n[^]*\n- About the page\[\^c1\]\n\n\[\^c1\]: About the page\n\n {4}- \*\*Bob Holm\*\*, \d{4}-\d\d-\d\d: Which chart\?\n$/,
  );
});

test('a page with its subpages is one zip of Markdown; the open page is written as it is here', async () => {
  const open = await pageOf('Harbour swim', '![The chart](chart.png)');
  const below = documents.slice(1);
  const titles = new Map(below.map(({ id, title }) => [id, title]));
  const saved = await pageFile(
    {
      ...NOTHING_ELSE,
      document: documentId(1),
      doc: open,
      files: { ...files, original: async () => ok(new Blob(['open'])) },
      reader: {
        read: async (id) =>
          id === documentId(3) ? err(weftError('WF001')) : ok(await pageOf(titles.get(id) ?? '', 'Words')),
        file: async () => ok(new Blob(['other'])),
      },
    },
    'md',
    below,
  );
  if (!saved.ok) throw new Error('it failed');
  const { blob, ...about } = saved.value;
  expect(about).toEqual({ name: 'Harbour swim.zip', note: '1 page or file couldn’t be read.' });
  const entries = Object.entries(unzipSync(new Uint8Array(await blob.arrayBuffer())));
  expect(
    entries.map(([name, bytes]) => `${name}: ${new TextDecoder().decode(bytes).replaceAll('\n', ' ').trim()}`),
  ).toEqual([
    'Harbour swim/Harbour swim/files/chart.png: open',
    'Harbour swim/Harbour swim.md: # Harbour swim  ![The chart](Harbour%20swim/files/chart.png)',
    'Harbour swim/Harbour swim/Plan.md: # Plan  Words',
    'Harbour swim/Harbour swim/Plan/Waves 14 June.md: # Waves: "14 June"  Words',
  ]);
  // It is still open.
  expect(titleOf(open).toString()).toBe('Harbour swim');
});
