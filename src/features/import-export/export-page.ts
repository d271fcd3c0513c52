// Writes a page as Markdown, HTML, text or JSON, in steps and in workers, so that no page blocks typing. Loaded on demand.
import type { Block } from 'weft-document/blocks/block.ts';
import { textsIn } from 'weft-document/blocks/detached-block.ts';
import { cutFormulas, formulaText } from 'weft-document/blocks/inline-formulas.ts';
import { type ListedPage, listSubpages } from 'weft-document/blocks/listed-subpages.ts';
import { parseBody } from 'weft-document/body/parse-body.ts';
import { pageWithComments } from 'weft-document/comments/comment-notes.ts';
import { type WrittenThread, fileThreads } from 'weft-document/comments/written-thread.ts';
import { pageToJson } from 'weft-document/formats/page-json.ts';
import { pageToText } from 'weft-document/formats/page-to-text.ts';
import { htmlDocument } from 'weft-document/html/html-document.ts';
import { escapeHtml } from 'weft-document/html/html-text.ts';
import { writeMarkdownPage } from 'weft-document/markdown/background-markdown.ts';
import type { FileAddresses } from 'weft-document/markdown/blocks-to-mdast.ts';
import { titleText } from 'weft-document/title.ts';
import type { DocumentId } from 'weft-sync/protocol/ids.ts';
import type * as Y from 'yjs';
import { formulaAsMathMl } from '../../editor/math/formulas.ts';
import { inSteps } from '../../lib/async/in-steps.ts';
import type { PageFiles } from '../../ports/files.ts';
import { PICTURE_TYPES } from '../../protocol/attachment.ts';
import { parseAttachmentId } from '../../protocol/ids.ts';
import type { FileFormat } from './file-formats.ts';

/** An HTML file embeds pictures up to this total size, and names the others. */
const MAX_PICTURE_BYTES = 50 * 1024 * 1024;

/** `isComplete` is false if a part was too complex for the format and was written as plain text. */
export type ExportedPage = { readonly text: string; readonly isComplete: boolean };

/** What a page's file has beside the page. */
export type ExportedWith = {
  /** The entries of a list of subpages. */
  readonly subpages?: readonly ListedPage[] | undefined;
  /** The comments, in Markdown and in a Weft file. */
  readonly threads?: readonly WrittenThread[] | undefined;
};

export async function exportPage(
  doc: Y.Doc,
  format: FileFormat,
  files: PageFiles,
  { subpages = [], threads }: ExportedWith = {},
): Promise<ExportedPage> {
  const title = titleText(doc);
  switch (format) {
    case 'md':
      return markdownPage(doc, title, { subpages, threads });
    case 'html':
      return htmlPage(doc, title, files, subpages);
    case 'txt':
      return { text: await joined(pageToText(title, listSubpages(parseBody(doc), subpages))), isComplete: true };
    case 'json':
      return wholePage(doc, files.document, threads);
  }
}

/** The lossless format. */
export const wholePage = async (
  doc: Y.Doc,
  document: DocumentId | null,
  threads: readonly WrittenThread[] = [],
): Promise<ExportedPage> => ({
  text: await joined(pageToJson(doc, document, fileThreads(doc, threads))),
  isComplete: true,
});

async function joined(pieces: Generator<string>): Promise<string> {
  const all: string[] = [];
  await inSteps(pieces, (piece) => void all.push(piece));
  return all.join('');
}

type MarkdownParts = ExportedWith & { readonly addresses?: FileAddresses };

export function markdownPage(
  doc: Y.Doc,
  title: string,
  { addresses, subpages = [], threads = [] }: MarkdownParts,
): Promise<ExportedPage> {
  const { blocks, notes } =
    threads.length === 0 ? { blocks: parseBody(doc), notes: [] } : pageWithComments(doc, threads);
  return writeMarkdownPage(title, listSubpages(blocks, subpages), { addresses, notes });
}

async function htmlPage(
  doc: Y.Doc,
  title: string,
  files: PageFiles,
  subpages: readonly ListedPage[],
): Promise<ExportedPage> {
  const blocks = listSubpages(parseBody(doc), subpages);
  const pictures = await picturesOf(blocks, files);
  const formulas = new Map<string, string | null>();
  const inlineFormulas = new Map<string, string | null>();
  for (const block of blocks) {
    if (block.type === 'math' && !formulas.has(block.tex))
      formulas.set(block.tex, await formulaAsMathMl(block.tex, false));
    for (const tex of inlineTexOf(block))
      if (!inlineFormulas.has(tex)) inlineFormulas.set(tex, await formulaAsMathMl(tex, true));
  }
  const pieces = htmlDocument(title, blocks, {
    origin: location.origin,
    math: (tex) => mathHtml(tex, formulas.get(tex) ?? null),
    inlineMath: (tex) => inlineFormulas.get(tex) ?? `<code>${escapeHtml(formulaText(tex))}</code>`,
    picture: (file) => pictures.get(file) ?? null,
  });
  return { text: await joined(pieces), isComplete: true };
}

/** MathML needs no fonts or styles. A formula that cannot be rendered appears as its source. */
const mathHtml = (tex: string, mathMl: string | null): string =>
  mathMl === null ? `<pre><code>${escapeHtml(tex)}</code></pre>` : `<p>${mathMl}</p>`;

const inlineTexOf = (block: Block): readonly string[] =>
  block.type === 'unknown'
    ? []
    : textsIn(block)
        .flatMap(cutFormulas)
        .flatMap(({ tex }) => (tex === null ? [] : [tex]));

/** The pictures that are available now, as data URLs by file id. */
async function picturesOf(blocks: readonly Block[], files: PageFiles): Promise<ReadonlyMap<string, string>> {
  const pictures = new Map<string, string>();
  let bytesLeft = MAX_PICTURE_BYTES;
  for (const block of blocks) {
    const id = block.type === 'image' ? parseAttachmentId(block.file ?? '') : null;
    if (id === null || pictures.has(id)) continue;
    const original = await files.original(id);
    if (!original.ok || original.value.size > bytesLeft || !PICTURE_TYPES.includes(original.value.type)) continue;
    bytesLeft -= original.value.size;
    pictures.set(id, await dataUrlOf(original.value));
  }
  return pictures;
}

const dataUrlOf = (blob: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(typeof reader.result === 'string' ? reader.result : ''));
    reader.addEventListener('error', () => reject(new Error('a picture could not be read')));
    reader.readAsDataURL(blob);
  });
