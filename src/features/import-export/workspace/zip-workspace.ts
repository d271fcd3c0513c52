// Writes all pages of a workspace into one zip: as Markdown in folders with their files beside them, and as Weft files, which
// keep everything. Loaded on demand. One page and one file are in memory at a time; the browser keeps the zip itself on disk.
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
  for await (const file of filesBelow(job, contents, null, '')) yield { ...file, name: `${root}/${file.name}` };
  yield { name: `${root}/weft/workspace.json`, input: tableOfContents(job, contents), lastModified: job.now };
}

/** The pages below one in order, each followed by those in the folder of its name. */
async function* filesBelow(
  job: ExportJob,
  contents: Contents,
  parent: DocumentId | null,
  folder: string,
): AsyncGenerator<ZippedFile> {
  const nameOf = uniqueNames();
  for (const id of job.index.below.get(parent) ?? []) {
    const listed = job.index.pages.get(id);
    if (listed === undefined) continue;
    job.signal.throwIfAborted();
    const doc = await patiently(job, contents, () => job.reader.read(id));
    // The list learns of a title some time after it was written.
    const page = doc === null ? listed : { ...listed, title: titleText(doc) };
    const name = nameOf(fileNameFor(page.title));
    if (doc === null) contents.missing.push({ document: id, file: null });
    else {
      try {
        yield* filesOfPage(job, contents, { page, folder, name, doc });
      } finally {
        doc.destroy();
      }
    }
    job.onProgress(++contents.done);
    yield* filesBelow(job, contents, id, `${folder}${name}/`);
  }
}

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
    const answer = await read();
    if (answer.ok) return answer.value;
    if (answer.error.code === 'WF001') return null;
    const pause = PAUSES_MS[tried];
    if (pause === undefined || answer.error.code !== 'WF011') {
      contents.failure = answer.error;
      throw new Error(answer.error.detail);
    }
    await job.wait(answer.error.retryAfterMs ?? pause);
    job.signal.throwIfAborted();
  }
}
