// Reads a Markdown file as a page. The title comes from the front matter, the first heading or the file name; the rest
// is the body.
import { textOfRuns } from '../blocks/block.ts';
import { type DetachedBlock, plainRun, textBlock } from '../blocks/detached-block.ts';

export type ImportedPage = { readonly title: string; readonly blocks: readonly DetachedBlock[] };

/** `readBody` reads the body. `hasTitle`: a first-level heading at its start becomes the page's title. */
export async function markdownToPage(
  file: string,
  fileName: string,
  readBody: (body: string, hasTitle: boolean) => Promise<readonly DetachedBlock[]>,
): Promise<ImportedPage> {
  const { title, rest, body } = splitFrontMatter(file.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n'));
  const read = await readBody(body, title === null);
  const [first] = read;
  const heading =
    first?.type === 'block' && first.kind === 'heading' && first.level === 1 ? textOfRuns(first.runs) : null;
  const blocks = heading !== null && (title === null || title === heading) ? read.slice(1) : read;
  // The rest of the front matter stays readable as a code block.
  const frontMatter = rest === '' ? [] : [textBlock({ kind: 'code', language: 'yaml' }, [plainRun(rest)])];
  return { title: title ?? heading ?? titleFromFileName(fileName), blocks: [...frontMatter, ...blocks] };
}

/** Derives a title from a file name: no folder, no extension. */
export const titleFromFileName = (fileName: string): string =>
  fileName
    .replace(/^.*[\\/]/, '')
    .replace(/\.(?:md|markdown|mdown|txt|html?)$/i, '')
    .replace(/[_-]+/g, ' ')
    .trim();

type FrontMatter = { readonly title: string | null; readonly rest: string; readonly body: string };

function splitFrontMatter(file: string): FrontMatter {
  const [all, matter] = /^---[ \t]*\n([\s\S]*?)\n?(?:---|\.\.\.)[ \t]*(?:\n|$)/.exec(file) ?? [];
  if (all === undefined || matter === undefined || !/^[\w-]+[ \t]*:/m.test(matter))
    return { title: null, rest: '', body: file };
  const lines = matter.split('\n');
  const at = lines.findIndex((line) => /^title[ \t]*:/i.test(line));
  const title = at < 0 ? '' : unquoted((lines[at] ?? '').replace(/^title[ \t]*:/i, '').trim());
  const rest = lines
    .filter((_, line) => line !== at || title === '')
    .join('\n')
    .trim();
  return { title: title === '' ? null : title, rest, body: file.slice(all.length) };
}

function unquoted(text: string): string {
  if (/^"(?:[^"\\]|\\.)*"$/.test(text)) return text.slice(1, -1).replace(/\\(["\\])/g, '$1');
  return /^'.*'$/.test(text) ? text.slice(1, -1).replaceAll("''", "'") : text.replace(/\s+#.*$/, '');
}
