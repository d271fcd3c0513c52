// A file as what a new page is filled with, read in steps. Loaded when somebody imports.
import type * as Y from 'yjs';
import { bodyText } from '../../document/body-text.ts';
import { elementsOfBlocks, fillPage } from '../../document/fill-page.ts';
import { pageOfMarkdown } from '../../document/markdown-file.ts';
import { elementsOfFile, parsePageFile } from '../../document/page-json.ts';
import { titleText } from '../../document/title.ts';

/** Larger than a page can be. */
const MAX_BYTES = 20 * 1024 * 1024;
/** Longer than this nothing runs at once. */
const STEP_MS = 10;

/** What lists and search are told of the page. */
type Words = { readonly title: string; readonly text: string };

export type ReadFile =
  | { readonly ok: true; readonly fill: (doc: Y.Doc) => Words }
  | { readonly ok: false; readonly why: string };

export async function readFile(file: File): Promise<ReadFile> {
  if (file.size > MAX_BYTES) return { ok: false, why: 'it is larger than a page can be' };
  const text = await file.text();
  if (text.includes('\0')) return { ok: false, why: 'it holds no text' };
  if (/\.json$/i.test(file.name)) return readOwn(text);
  const page = await inSteps(pageOfMarkdown(text, file.name));
  return { ok: true, fill: (doc) => filled(doc, page.title, elementsOfBlocks(page.blocks)) };
}

function readOwn(text: string): ReadFile {
  const parsed = parsePageFile(text);
  if (parsed.ok) {
    return { ok: true, fill: (doc) => filled(doc, parsed.value.title, elementsOfFile(parsed.value)) };
  }
  return {
    ok: false,
    why: parsed.error === 'newer' ? 'a newer version of Weft wrote it: reload first' : 'it is no page of Weft',
  };
}

function filled(doc: Y.Doc, title: string, elements: readonly Y.XmlElement[]): Words {
  fillPage(doc, title, elements);
  return { title: titleText(doc), text: bodyText(doc) };
}

async function inSteps<T>(steps: Generator<unknown, T>): Promise<T> {
  let begun = performance.now();
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (performance.now() - begun < STEP_MS) continue;
    await new Promise((resolve) => setTimeout(resolve, 0));
    begun = performance.now();
  }
}
