// A page as a file or as Markdown, written in steps so that a large one holds up nobody. Loaded when it is asked for.
import katex from 'katex';
import type * as Y from 'yjs';
import { htmlDocument } from '../../document/html-document.ts';
import { markdownPieces } from '../../document/markdown-of-blocks.ts';
import { jsonPieces } from '../../document/page-json.ts';
import { parseBody } from '../../document/parse-body.ts';
import { textPieces } from '../../document/text-of-page.ts';
import { plainRun, textBlock } from '../../document/loose-block.ts';
import { titleText } from '../../document/title.ts';
import type { FileForm } from './file-forms.ts';

/** Longer than this nothing runs at once: the next key and the next frame have their turn. */
const STEP_MS = 10;

export async function writtenPage(doc: Y.Doc, form: FileForm): Promise<string> {
  const pieces: string[] = [];
  let begun = performance.now();
  for (const piece of piecesOf(doc, form)) {
    pieces.push(piece);
    if (performance.now() - begun < STEP_MS) continue;
    await new Promise((resolve) => setTimeout(resolve, 0));
    begun = performance.now();
  }
  return pieces.join('');
}

function piecesOf(doc: Y.Doc, form: FileForm): Iterable<string> {
  const title = titleText(doc);
  switch (form) {
    case 'md':
      return markdownPage(doc, title);
    case 'html':
      return htmlDocument(title, parseBody(doc), { origin: location.origin, math: mathMl });
    case 'txt':
      return textPieces(title, parseBody(doc));
    case 'json':
      return jsonPieces(doc);
  }
}

/** The title is the one heading of the first level. */
function* markdownPage(doc: Y.Doc, title: string): Generator<string> {
  if (title !== '') yield* markdownPieces([heading(title)]);
  if (title !== '') yield '\n';
  yield* markdownPieces(parseBody(doc), title === '' ? 0 : 1);
}

const heading = (title: string) => textBlock({ kind: 'heading', level: 1 }, [plainRun(title)]);

/** MathML needs neither fonts nor styles of its own; a fault is shown as it was written. */
const mathMl = (tex: string): string =>
  `<p>${katex.renderToString(tex, { output: 'mathml', displayMode: true, throwOnError: false })}</p>`;
