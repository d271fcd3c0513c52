// Writes all pages of a workspace into one zip: as Markdown in folders with their files beside them, and as Weft files, which
// keep everything. Loaded on demand. A few pages and one file are in memory at a time; the browser keeps the zip itself on disk.
import { downloadZip } from 'client-zip';
import type * as Y from 'yjs';
import { parseBody } from '../../../document/body/parse-body.ts';
import { titleText } from '../../../document/title.ts';
import { type Result, err, ok } from '../../../lib/result.ts';
import type { DocumentSummary, Workspace } from '../../../protocol/answers.ts';
import type { WeftError } from '../../../protocol/errors.ts';
import { type AttachmentId, type DocumentId, parseAttachmentId } from '../../../protocol/ids.ts';
import type { PageReader } from '../../../state/ports/workspace.ts';
import type { PageIndex } from '../../../state/workspace/page-index.ts';
import { markdownPage, wholePage } from '../export-page.ts';
import { fileNameFor, uniqueNames, urlOfPath } from './file-paths.ts';
import { readAhead } from './read-ahead.ts';

type ZippedFile = { readonly name: string; readonly input: string | Blob; readonly lastModified: number };

type ExportJob = {
  readonly workspace: Workspace;
  readonly index: PageIndex;
  readonly reader: PageReader;
  readonly now: number;
  readonly wait: (ms: number) => Promise<void>;
  readonly signal: AbortSignal;
  /** Receives the number of pages that are done. */
  readonly onProgress: (pages: number) => void;
};

export type ZippedWorkspace = {
  readonly zip: Blob;
  readonly pages: number;
  /** Pages and files that nobody could read; `weft/workspace.json` names them. */
  readonly missing: number;
};

/** The error is null if the export was cancelled. */
export async function zipWorkspace(job: ExportJob): Promise<Result<ZippedWorkspace, WeftError | null>> {
  const contents: Contents = { pages: [], missing: [], done: 0, failure: null };
  try {
    const zip = await downloadZip(filesOf(job, contents)).blob();
    return ok({ zip, pages: contents.pages.length, missing: contents.missing.length });
  } catch (error) {
    // A response answers "Failed to fetch" whatever went wrong in its stream.
    if (job.signal.aborted) return err(null);
    if (contents.failure !== null) return err(contents.failure);
    throw error;
  }
}

type ContentsOfPage = {
  readonly page: DocumentSummary;
  readonly markdown: string;
  readonly weft: string;
  readonly files: readonly { readonly id: AttachmentId; readonly name: string; readonly path: string }[];
};

/** The zip's pages so far, and the pages and files that could not be read. */
type Contents = {
  readonly pages: ContentsOfPage[];
  readonly missing: { readonly document: DocumentId; readonly file: AttachmentId | null }[];
  /** Pages, missing ones included. */
  done: number;
  /** Why the export ended early. */
  failure: WeftError | null;
};

async function* filesOf(job: ExportJob, contents: Contents): AsyncGenerator<ZippedFile> {
  const root = fileNameFor(job.workspace.name);
  for await (const file of filesOfPages(job, contents)) yield { ...file, name: `${root}/${file.name}` };
  yield { name: `${root}/weft/workspace.json`, input: tableOfContents(job, contents), lastModified: job.now };
}

/** Pages that are read while another one is written: at 50 ms for each call, one after the other is nine minutes for 10,000. */
const READ_AHEAD = 4;

/** The pages in order, each followed by those in the folder of its name. */
async function* filesOfPages(job: ExportJob, contents: Contents): AsyncGenerator<ZippedFile> {
  const folders = new Map<DocumentId | null, Folder>([[null, { path: '', nameOf: uniqueNames() }]]);
  const pages = readAhead(inOrder(job.index, null), {
    ahead: READ_AHEAD,
    read: (listed) => patiently(job, contents, () => job.reader.read(listed.id)),
    drop: (doc) => doc?.destroy(),
  });
  for await (const [listed, doc] of pages) {
    if (job.signal.aborted) doc?.destroy();
    job.signal.throwIfAborted();
    // The list learns of a title some time after it was written.
    const page = doc === null ? listed : { ...listed, title: titleText(doc) };
    const folder = folders.get(page.parentId) ?? folders.get(null);
    const name = folder?.nameOf(fileNameFor(page.title)) ?? fileNameFor(page.title);
    folders.set(page.id, { path: `${folder?.path ?? ''}${name}/`, nameOf: uniqueNames() });
    if (doc === null) contents.missing.push({ document: page.id, file: null });
    else {
      try {
        yield* filesOfPage(job, contents, { page, folder: folder?.path ?? '', name, doc });
      } finally {
        doc.destroy();
      }
    }
    job.onProgress(++contents.done);
  }
}

type Folder = { readonly path: string; readonly nameOf: ReturnType<typeof uniqueNames> };

/** The pages below one, each followed by those below it. */
const inOrder = (index: PageIndex, parent: DocumentId | null): readonly DocumentSummary[] =>
  (index.below.get(parent) ?? []).flatMap((id) => {
    const page = index.pages.get(id);
    return page === undefined ? [] : [page, ...inOrder(index, id)];
  });

type ReadPage = {
  readonly page: DocumentSummary;
  /** Empty, or ends with a slash. */
  readonly folder: string;
  readonly name: string;
  readonly doc: Y.Doc;
};

async function* filesOfPage(
  job: ExportJob,
  contents: Contents,
  { page, folder, name, doc }: ReadPage,
): AsyncGenerator<ZippedFile> {
  const lastModified = page.updatedAt;
  const nameOf = uniqueNames();
  const files: ContentsOfPage['files'][number][] = [];
  const addresses = new Map<string, string>();
  for (const attachment of attachmentsIn(doc)) {
    job.signal.throwIfAborted();
    const blob = await patiently(job, contents, () => job.reader.file(page.id, attachment.id));
    if (blob === null) {
      contents.missing.push({ document: page.id, file: attachment.id });
      continue;
    }
    const address = `${name}/files/${nameOf(fileNameFor(attachment.name))}`;
    const path = `markdown/${folder}${address}`;
    addresses.set(attachment.id, urlOfPath(address));
    files.push({ ...attachment, path });
    yield { name: path, input: blob, lastModified };
  }
  const markdown = `markdown/${folder}${name}.md`;
  const weft = `weft/pages/${page.id}.json`;
  yield { name: markdown, input: (await markdownPage(doc, page.title, addresses)).text, lastModified };
  yield { name: weft, input: (await wholePage(doc, page.id)).text, lastModified };
  contents.pages.push({ page, markdown, weft, files });
}

function attachmentsIn(doc: Y.Doc): readonly { readonly id: AttachmentId; readonly name: string }[] {
  const found = new Map<AttachmentId, string>();
  for (const block of parseBody(doc)) {
    const id = block.type === 'image' || block.type === 'file' ? parseAttachmentId(block.file ?? '') : null;
    if (id !== null && (block.type === 'image' || block.type === 'file')) found.set(id, block.name);
  }
  return Array.from(found, ([id, name]) => ({ id, name }));
}

function tableOfContents({ workspace, now }: ExportJob, { pages, missing }: Contents): string {
  const content = {
    format: 'weft-workspace',
    version: 1,
    name: workspace.name,
    exportedAt: new Date(now).toISOString(),
    pages: pages.map(({ page: { id, parentId, rank, title, icon, access, createdAt, updatedAt }, ...paths }) => ({
      id,
      parentId,
      rank,
      title,
      icon,
      access,
      createdAt: new Date(createdAt).toISOString(),
      updatedAt: new Date(updatedAt).toISOString(),
      ...paths,
    })),
    missing,
  };
  return `${JSON.stringify(content, null, 2)}\n`;
}

const PAUSES_MS = [1_000, 4_000, 15_000];

/** Null if it is gone or closed to this person. An unreachable server is asked again for a while. */
async function patiently<T>(
  job: ExportJob,
  contents: Contents,
  read: () => Promise<Result<T, WeftError>>,
): Promise<T | null> {
  for (let tried = 0; ; tried++) {
    job.signal.throwIfAborted();
    const answer = await read();
    if (answer.ok) return answer.value;
    if (answer.error.code === 'WF001') return null;
    const pause = PAUSES_MS[tried];
    if (pause === undefined || (answer.error.code !== 'WF011' && answer.error.code !== 'WF008')) {
      contents.failure = answer.error;
      throw new Error(answer.error.detail);
    }
    await job.wait(answer.error.retryAfterMs ?? pause);
  }
}
