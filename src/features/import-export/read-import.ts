// Reads an imported file into content for a new page, in steps. Loaded on demand.
import { elementsOfBlocks, fillPage } from 'weft-document/body/fill-page.ts';
import { elementsOfFile, parsePageFile, withCopiedFiles } from 'weft-document/formats/page-json.ts';
import { textToPage } from 'weft-document/formats/text-to-page.ts';
import { readMarkdown } from 'weft-document/markdown/background-markdown.ts';
import { isMarkdown } from 'weft-document/markdown/is-markdown.ts';
import { type ImportedPage, titleFromFileName, markdownToPage } from 'weft-document/markdown/markdown-to-page.ts';
import { titleText } from 'weft-document/title.ts';
import type * as Y from 'yjs';
import { type PictureFailure, type FindPicture, attachPictures } from '../../editor/html/attach-pictures.ts';
import { blocksOfHtml } from '../../editor/html/blocks-of-html.ts';
import { extractPictures } from '../../editor/html/embedded-pictures.ts';
import type { WritableFiles } from '../../ports/files.ts';
import { parseHtmlPage } from './parse-html-page.ts';

/** A page cannot be larger than this. */
const MAX_BYTES = 20 * 1024 * 1024;

/** The page's title, and the pictures that could not be added. */
type FilledPage = { readonly title: string; readonly pictureFailures: readonly PictureFailure[] };

export type ReadImport =
  | {
      readonly ok: true;
      readonly fill: (doc: Y.Doc, files: WritableFiles) => Promise<FilledPage>;
      /** The file has comments. They are not imported: no one can check who wrote them. */
      readonly hasComments?: boolean;
    }
  /** `why` is the end of a sentence, such as "it is not a text file". */
  | { readonly ok: false; readonly why: string };

/** `beside` finds a picture that was chosen together with the file. */
export async function readImport(file: File, beside: FindPicture): Promise<ReadImport> {
  if (file.size > MAX_BYTES) return { ok: false, why: 'it is larger than a page can be' };
  const text = await file.text();
  if (text.includes('\0')) return { ok: false, why: 'it is not a text file' };
  if (/\.json$/i.test(file.name)) return readWeftFile(text);
  const { extractFromText, find: findEmbedded, restore } = extractPictures();
  const find = (address: string) => findEmbedded(address) ?? beside(address);
  const { title, blocks } = await readPage(extractFromText(text), file.name, (address) => find(address) !== null);
  return {
    ok: true,
    async fill(doc, files) {
      const attached = await attachPictures(blocks, find, files);
      return {
        title: fillAndReadTitle(doc, title, elementsOfBlocks(attached.blocks.map(restore))),
        pictureFailures: attached.failures,
      };
    },
  };
}

function readPage(
  text: string,
  name: string,
  hasFile: (address: string) => boolean,
): ImportedPage | Promise<ImportedPage> {
  if (/\.html?$/i.test(name)) return parseHtmlPage(text, titleFromFileName(name), hasFile);
  if (/\.txt$/i.test(name) && !isMarkdown(text)) return textToPage(text, name);
  return markdownToPage(text, name, async (body, hasTitle) => {
    const { blocks } = await readMarkdown(body, { readHtml: blocksOfHtml, hasTitle });
    return blocks;
  });
}

function readWeftFile(text: string): ReadImport {
  const parsed = parsePageFile(text);
  if (parsed.ok) {
    return {
      ok: true,
      hasComments: (parsed.value.comments ?? []).length > 0,
      async fill(doc, files) {
        const file = withCopiedFiles(parsed.value, (from, name) => files.copy(from, name));
        return { title: fillAndReadTitle(doc, file.title, elementsOfFile(file)), pictureFailures: [] };
      },
    };
  }
  return {
    ok: false,
    why: parsed.error === 'newer' ? 'a newer version of Weft wrote it: reload first' : 'it is not a Weft file',
  };
}

function fillAndReadTitle(doc: Y.Doc, title: string, elements: readonly Y.XmlElement[]) {
  fillPage(doc, title, elements);
  return titleText(doc);
}
