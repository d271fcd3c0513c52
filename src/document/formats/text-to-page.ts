// Reads a plain text file as a page.
import { plainRun, textBlock } from '../blocks/detached-block.ts';
import { type ImportedPage, titleFromFileName } from '../markdown/markdown-to-page.ts';

/** Empty lines separate paragraphs. Single line breaks stay. */
export function textToPage(file: string, fileName: string): ImportedPage {
  const text = file.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
  const paragraphs = text.split(/\n(?:[ \t]*\n)+/).map((words) => words.replace(/^\n+|\s+$/g, ''));
  const blocks = paragraphs.filter((words) => words !== '').map((words) => textBlock({}, [plainRun(words)]));
  return { title: titleFromFileName(fileName), blocks };
}
