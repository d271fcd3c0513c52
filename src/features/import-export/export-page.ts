// Writes a page as Markdown, HTML, text or JSON, in steps, so that a large page does not block typing. Loaded on demand.
import katex from 'katex';
import type * as Y from 'yjs';
import type { Block } from '../../document/blocks/block.ts';
import { htmlDocument } from '../../document/html/html-document.ts';
import { markdownPieces } from '../../document/markdown/blocks-to-markdown.ts';
import { pageToJson } from '../../document/formats/page-json.ts';
import { parseBody } from '../../document/body/parse-body.ts';
import { pageToText } from '../../document/formats/page-to-text.ts';
import { plainRun, textBlock } from '../../document/blocks/detached-block.ts';
import { titleText } from '../../document/title.ts';
import { PICTURE_TYPES } from '../../protocol/attachment.ts';
import { type DocumentId, parseAttachmentId } from '../../protocol/ids.ts';
import type { PageFiles } from '../../state/file-ports.ts';
import type { FileFormat } from './file-formats.ts';

/** After this long the export yields, so that the next key and the next frame have their turn. */
const STEP_MS = 10;

/** An HTML file embeds pictures up to this total size, and names the others. */
const MAX_PICTURE_BYTES = 50 * 1024 * 1024;

export async function exportPage(doc: Y.Doc, format: FileFormat, files: PageFiles): Promise<string> {
  const pictures = format === 'html' ? await picturesOf(parseBody(doc), files) : new Map<string, string>();
  const pieces: string[] = [];
  let startedAt = performance.now();
  for (const piece of piecesOf(doc, format, files.document, pictures)) {
    pieces.push(piece);
    if (performance.now() - startedAt < STEP_MS) continue;
    await new Promise((resolve) => setTimeout(resolve, 0));
    startedAt = performance.now();
  }
  return pieces.join('');
}

function piecesOf(
  doc: Y.Doc,
  format: FileFormat,
  document: DocumentId | null,
  pictures: ReadonlyMap<string, string>,
): Iterable<string> {
  const title = titleText(doc);
  switch (format) {
    case 'md':
      return markdownPage(doc, title);
    case 'html':
      return htmlDocument(title, parseBody(doc), {
        origin: location.origin,
        math: toMathMl,
        picture: (file) => pictures.get(file) ?? null,
      });
    case 'txt':
      return pageToText(title, parseBody(doc));
    case 'json':
      return pageToJson(doc, document);
  }
}

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

/** The page's title becomes the only first-level heading. */
function* markdownPage(doc: Y.Doc, title: string): Generator<string> {
  if (title !== '') yield* markdownPieces([heading(title)]);
  if (title !== '') yield '\n';
  yield* markdownPieces(parseBody(doc), title === '' ? 0 : 1);
}

const heading = (title: string) => textBlock({ kind: 'heading', level: 1 }, [plainRun(title)]);

/** MathML needs no fonts or styles. A formula with an error appears as its source. */
const toMathMl = (tex: string): string =>
  `<p>${katex.renderToString(tex, { output: 'mathml', displayMode: true, throwOnError: false })}</p>`;
