// Writes pages into a zip as Markdown, in folders with their files beside them. A few pages and one file are in memory at a time;
// the browser can keep the zip itself on disk.
import { downloadZip } from 'client-zip';
import type { ListedPage } from 'weft-document/blocks/listed-subpages.ts';
import { parseBody } from 'weft-document/body/parse-body.ts';
import { titleText } from 'weft-document/title.ts';
import type { WeftError } from 'weft-sync/protocol/errors.ts';
import type { DocumentId } from 'weft-sync/protocol/ids.ts';
import type * as Y from 'yjs';
import { type Result, err, ok } from '../../../lib/result.ts';
import type { PageReader } from '../../../ports/workspace.ts';
import type { DocumentSummary } from '../../../protocol/answers.ts';
import { type AttachmentId, parseAttachmentId } from '../../../protocol/ids.ts';
import { shownTitle } from '../../../texts/content-texts.ts';
import { type ExportedWith, markdownPage, wholePage } from '../export-page.ts';
import { fileNameFor, uniqueNames, urlOfPath } from './file-paths.ts';
import { readAhead } from './read-ahead.ts';

export type ZippedFile = { readonly name: string; readonly input: string | Blob; readonly lastModified: number };

export type ZippedPage = Pick<DocumentSummary, 'id' | 'parentId' | 'title' | 'updatedAt'>;

export type ZipJob = {
  /** Each page before those below it. */
  readonly pages: readonly ZippedPage[];
  readonly reader: PageReader;
  readonly wait: (ms: number) => Promise<void>;
  readonly signal: AbortSignal;
  /** Receives the number of pages that are done. */
  readonly onProgress: (pages: number) => void;
  /** For the only page: those below it, which are not in the zip, and its comments. */
  readonly onlyPage?: ExportedWith;
};

/** The contents of a zip. */
export type ZipLayout = {
  /** The folder that everything lies in. */
  readonly root: string;
  /** The folder of the Markdown files inside it. Empty, or ends with a slash. */
  readonly markdown: string;
  /** The path of the page's Weft file; null for none. */
  readonly weft: (page: DocumentId) => string | null;
  /** The last file, made from what was written. */
  readonly last: (contents: Contents) => ZippedFile | null;
};

export type Zipped = {
  readonly zip: Blob;
  readonly pages: number;
  readonly files: number;
  /** Pages and files that no one could read. */
  readonly missing: number;
  /** False if a part was too complex for Markdown and was written as plain text. */
  readonly isComplete: boolean;
};

/** The error is null if it was cancelled. */
export async function zipPages(job: ZipJob, layout: ZipLayout): Promise<Result<Zipped, WeftError | null>> {
  const contents: Progress = { pages: [], missing: [], isComplete: true, done: 0, failure: null };
  try {
    const zip = await downloadZip(filesOf(job, layout, contents)).blob();
    const files = contents.pages.reduce((sum, page) => sum + page.files.length, 0);
    const { pages, missing, isComplete } = contents;
    return ok({ zip, pages: pages.length, files, missing: missing.length, isComplete });
  } catch (error) {
    // A response answers "Failed to fetch" whatever went wrong in its stream.
    if (job.signal.aborted) return err(null);
    if (contents.failure !== null) return err(contents.failure);
    throw error;
  }
}

type ContentsOfPage = {
  readonly page: ZippedPage;
  readonly markdown: string;
  readonly weft: string | null;
  readonly files: readonly { readonly id: AttachmentId; readonly name: string; readonly path: string }[];
};

/** The zip's pages so far, and the pages and files that could not be read. */
export type Contents = {
  readonly pages: readonly ContentsOfPage[];
  readonly missing: readonly { readonly document: DocumentId; readonly file: AttachmentId | null }[];
};

type Progress = {
  readonly pages: ContentsOfPage[];
  readonly missing: Contents['missing'][number][];
  isComplete: boolean;
  /** Pages, missing ones included. */
  done: number;
  /** Why it ended early. */
  failure: WeftError | null;
};

async function* filesOf(job: ZipJob, layout: ZipLayout, contents: Progress): AsyncGenerator<ZippedFile> {
  for await (const file of filesOfPages(job, layout, contents)) yield { ...file, name: `${layout.root}/${file.name}` };
  const last = layout.last(contents);
  if (last !== null) yield { ...last, name: `${layout.root}/${last.name}` };
}

/**
 * Pages that are read while another one is written: at 50 ms for each call, one after the other takes 8 minutes for
 * 10,000.
 */
const READ_AHEAD = 4;

/** The pages in order, each followed by those in the folder of its name. */
async function* filesOfPages(job: ZipJob, layout: ZipLayout, contents: Progress): AsyncGenerator<ZippedFile> {
  const folders = new Map<DocumentId | null, Folder>([[null, { path: '', nameOf: uniqueNames() }]]);
  const pages = readAhead(job.pages, {
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
        yield* filesOfPage(job, layout, contents, { page, folder: folder?.path ?? '', name, doc });
      } finally {
        doc.destroy();
      }
    }
    job.onProgress(++contents.done);
  }
}

type Folder = { readonly path: string; readonly nameOf: ReturnType<typeof uniqueNames> };

type ReadPage = {
  readonly page: ZippedPage;
  /** Empty, or ends with a slash. */
  readonly folder: string;
  readonly name: string;
  readonly doc: Y.Doc;
};

async function* filesOfPage(
  job: ZipJob,
  layout: ZipLayout,
  contents: Progress,
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
    const path = `${layout.markdown}${folder}${address}`;
    addresses.set(attachment.id, urlOfPath(address));
    files.push({ ...attachment, path });
    yield { name: path, input: blob, lastModified };
  }
  const markdown = `${layout.markdown}${folder}${name}.md`;
  const weft = layout.weft(page.id);
  const { text, isComplete } = await markdownPage(doc, page.title, {
    addresses,
    ...(job.pages.length === 1 ? job.onlyPage : { subpages: subpagesIn(job, page, name) }),
  });
  contents.isComplete &&= isComplete;
  yield { name: markdown, input: text, lastModified };
  if (weft !== null) yield { name: weft, input: (await wholePage(doc, page.id)).text, lastModified };
  contents.pages.push({ page, markdown, weft, files });
}

/** By their paths in the zip. The list of pages may lack a title that was just written, and with it the file's name. */
function subpagesIn({ pages }: ZipJob, { id }: ZippedPage, folder: string): readonly ListedPage[] {
  const nameOf = uniqueNames();
  return pages
    .filter(({ parentId }) => parentId === id)
    .map(({ title }) => ({
      title: shownTitle(title),
      address: urlOfPath(`${folder}/${nameOf(fileNameFor(title))}.md`),
    }));
}

export function attachmentsIn(doc: Y.Doc): readonly { readonly id: AttachmentId; readonly name: string }[] {
  const found = new Map<AttachmentId, string>();
  for (const block of parseBody(doc)) {
    const id = block.type === 'image' || block.type === 'file' ? parseAttachmentId(block.file ?? '') : null;
    if (id !== null && (block.type === 'image' || block.type === 'file')) found.set(id, block.name);
  }
  return Array.from(found, ([id, name]) => ({ id, name }));
}

const PAUSES_MS = [1_000, 4_000, 15_000];

/** Null if it is gone or closed to this person. An unreachable or busy server is asked again for a while. */
async function patiently<T>(
  job: ZipJob,
  contents: Progress,
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
