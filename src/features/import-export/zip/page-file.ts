// A page as a file to save: Markdown with pictures or files, or with the pages below it, becomes a zip. Loaded on demand.
import type { ListedPage } from 'weft-document/blocks/listed-subpages.ts';
import { titleText } from 'weft-document/title.ts';
import { type WeftError, weftError } from 'weft-sync/protocol/errors.ts';
import type { DocumentId } from 'weft-sync/protocol/ids.ts';
import * as Y from 'yjs';
import { type Result, err, ok } from '../../../lib/result.ts';
import { counted } from '../../../lib/text/counted.ts';
import type { PageFiles } from '../../../ports/files.ts';
import type { PageReader } from '../../../ports/workspace.ts';
import type { ShownThread } from '../../../state/comments/shown-threads.ts';
import type { PeopleById } from '../../../state/people/people.ts';
import { CONTENT_TEXTS } from '../../../texts/content-texts.ts';
import { type ExportedWith, exportPage } from '../export-page.ts';
import { type FileFormat, fileNameOf } from '../file-formats.ts';
import { writtenThreads } from '../written-threads.ts';
import { fileNameFor } from './file-paths.ts';
import { type Zipped, type ZippedPage, attachmentsIn, zipPages } from './zip-pages.ts';

export type PageFileSource = {
  readonly document: DocumentId;
  /** As it is open here, with edits that no server has. */
  readonly doc: Y.Doc;
  readonly files: PageFiles;
  readonly reader: PageReader;
  /** The pages right below it, with their whole addresses. */
  readonly subpages: readonly ListedPage[];
  /** The comments that the file is to have, and the people whose names are known. */
  readonly comments: readonly ShownThread[];
  readonly people: PeopleById;
};

export type SavedFile = {
  readonly blob: Blob;
  readonly name: string;
  /** Says what is missing in it; null for nothing. */
  readonly note: string | null;
};

/** `below`: pages to write into the same zip, each before those below it; only as Markdown. */
export async function pageFile(
  source: PageFileSource,
  format: FileFormat,
  below: readonly ZippedPage[],
): Promise<Result<SavedFile, WeftError>> {
  const { subpages, comments, people } = source;
  const extras = { subpages, threads: writtenThreads(comments, people) };
  if (format === 'md' && (below.length > 0 || attachmentsIn(source.doc).length > 0))
    return zipFile(source, extras, below);
  const { text, isComplete } = await exportPage(source.doc, format, source.files, extras);
  return ok({
    blob: new Blob([text], { type: 'application/octet-stream' }),
    name: fileNameOf(titleText(source.doc), format),
    note: isComplete ? null : CONTENT_TEXTS.exportTooComplex,
  });
}

async function zipFile(
  { document, doc, files, reader }: PageFileSource,
  onlyPage: ExportedWith,
  below: readonly ZippedPage[],
): Promise<Result<SavedFile, WeftError>> {
  const title = titleText(doc);
  const name = fileNameFor(title);
  const zipped = await zipPages(
    {
      pages: [{ id: document, parentId: null, title, updatedAt: Date.now() }, ...below],
      reader: {
        read: async (id) => (id === document ? ok(copyOf(doc)) : reader.read(id)),
        file: (page, id) => (page === document ? here(files.original(id)) : reader.file(page, id)),
      },
      wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
      signal: new AbortController().signal,
      onProgress: () => undefined,
      onlyPage,
    },
    { root: name, markdown: '', weft: () => null, last: () => null },
  );
  if (!zipped.ok) {
    if (zipped.error === null) throw new Error('no one cancels this');
    return { ok: false, error: zipped.error };
  }
  return ok({ blob: zipped.value.zip, name: `${name}.zip`, note: noteOf(zipped.value) });
}

/** A picture that is not on this device must not keep the words from being exported offline: it counts as missing. */
async function here(file: ReturnType<PageFiles['original']>): ReturnType<PageFiles['original']> {
  const answer = await file;
  return answer.ok ? answer : err(weftError('WF001', answer.error.detail));
}

function noteOf({ missing, isComplete }: Zipped): string | null {
  const notes = [
    ...(missing === 0 ? [] : [`${counted(missing, 'page or file', 'pages or files')} couldn’t be read.`]),
    ...(isComplete ? [] : [CONTENT_TEXTS.exportTooComplex]),
  ];
  return notes.length === 0 ? null : notes.join(' ');
}

/** The zip destroys what it has written. */
function copyOf(doc: Y.Doc): Y.Doc {
  const copy = new Y.Doc();
  Y.applyUpdate(copy, Y.encodeStateAsUpdate(doc));
  return copy;
}
