// Converts Markdown's inline nodes into runs of text. Keeps those inline HTML tags that Weft has a mark for. Nothing is
// ever loaded.
import type { PhrasingContent } from 'mdast';
import { type Marks, PLAIN, type Run } from '../blocks/block.ts';
import { joinRuns } from '../blocks/detached-block.ts';
import { formulaText, isInlineTex } from '../blocks/inline-formulas.ts';
import { type Tag, isEmptyComment, parseTag, unescapeHtml } from '../html/html-text.ts';
import { parseLinkUrl } from '../link-url.ts';

/** The URL of a reference, or null if it was never defined. */
export type ResolveReference = (identifier: string) => string | null;

/** Marks nested deeper than this are dropped; their text stays. */
const MAX_DEPTH = 60;

const MARK_OF_TAG: Readonly<Record<string, Partial<Marks>>> = {
  b: { bold: true },
  strong: { bold: true },
  i: { italic: true },
  em: { italic: true },
  u: { underline: true },
  ins: { underline: true },
  s: { strike: true },
  del: { strike: true },
  strike: { strike: true },
  code: { code: true },
  kbd: { code: true },
  samp: { code: true },
  mark: { highlight: true },
};
/** Tags without a matching mark. Any other unknown tag, such as `<String>`, is text that someone wrote. */
const DROPPED_TAGS =
  /^(?:a|abbr|acronym|bdi|bdo|big|center|cite|data|dfn|div|font|img|label|p|picture|q|ruby|rb|rp|rt|small|source|span|sub|summary|details|sup|time|tt|var|wbr)$/;

export function phrasingToRuns(nodes: readonly PhrasingContent[], resolve: ResolveReference): readonly Run[] {
  const runs: Run[] = [];
  collect(nodes, PLAIN, resolve, runs, 0);
  return joinRuns(runs);
}

/** For `<summary>` and the like: text with inline tags and no Markdown. */
export function inlineHtmlToRuns(html: string): readonly Run[] {
  const runs: Run[] = [];
  const open = openTags(PLAIN);
  for (const piece of html.split(/(<[^<>]*>)/)) {
    if (piece.startsWith('<')) readHtml(piece, open, runs);
    else if (piece !== '') runs.push({ ...open.marks(), text: unescapeHtml(piece).replace(/\s+/g, ' ') });
  }
  return joinRuns(runs);
}

function collect(
  nodes: readonly PhrasingContent[],
  marks: Marks,
  resolve: ResolveReference,
  runs: Run[],
  depth: number,
): void {
  const open = openTags(marks);
  const inside = (node: { readonly children: readonly PhrasingContent[] }, mark: Partial<Marks>) => {
    if (depth < MAX_DEPTH) collect(node.children, { ...open.marks(), ...mark }, resolve, runs, depth + 1);
    else runs.push({ ...open.marks(), text: textIn(node.children) });
  };
  for (const node of nodes) {
    switch (node.type) {
      case 'text':
        runs.push({ ...open.marks(), text: withoutSecondSpace(runs, node.value.replace(/[ \t]*\n[ \t]*/g, ' ')) });
        break;
      case 'break':
        runs.push({ ...open.marks(), text: '\n' });
        break;
      case 'strong':
        inside(node, { bold: true });
        break;
      case 'emphasis':
        inside(node, { italic: true });
        break;
      case 'delete':
        inside(node, { strike: true });
        break;
      case 'link':
        inside(node, { link: parseLinkUrl(node.url) ?? open.marks().link });
        break;
      case 'linkReference':
        inside(node, { link: parseLinkUrl(resolve(node.identifier)) ?? open.marks().link });
        break;
      case 'inlineCode':
        runs.push({ ...open.marks(), code: true, text: node.value.replaceAll('\n', ' ') });
        break;
      case 'inlineMath':
        runs.push({ ...open.marks(), ...formulaOf(node.value) });
        break;
      case 'image':
        runs.push(pictureRun(open.marks(), node.alt ?? '', node.url));
        break;
      case 'imageReference':
        runs.push(pictureRun(open.marks(), node.alt ?? '', resolve(node.identifier)));
        break;
      case 'footnoteReference':
        runs.push({ ...open.marks(), text: `[^${node.label ?? node.identifier}]` });
        break;
      case 'html':
        readHtml(node.value, open, runs);
        break;
    }
  }
}

/** TeX that cannot stand between single signs stays text. */
const formulaOf = (tex: string) => {
  const isFormula = isInlineTex(tex);
  return { text: isFormula ? formulaText(tex) : `$$${tex}$$`, formula: isFormula };
};

/** A dropped tag leaves one space, not one on each side. */
function withoutSecondSpace(runs: readonly Run[], text: string): string {
  const before = runs.at(-1);
  return before?.code === false && before.text.endsWith(' ') ? text.replace(/^ +/, '') : text;
}

/** An inline picture becomes a link: pages have no inline pictures, and nothing is loaded from other sites. */
function pictureRun(marks: Marks, alt: string, address: string | null): Run {
  const url = parseLinkUrl(address);
  return { ...marks, text: alt === '' ? (url ?? '') : alt, link: marks.link ?? url };
}

/** All text below, collected without recursion, so that thousands of nested marks cannot overflow the stack. */
function textIn(nodes: readonly PhrasingContent[]): string {
  const queue = nodes.toReversed();
  let words = '';
  for (let node = queue.pop(); node !== undefined; node = queue.pop()) {
    if ('children' in node) queue.push(...node.children.toReversed());
    else if ('value' in node && node.type !== 'html') words += node.value;
    else if (node.type === 'image') words += node.alt ?? '';
  }
  return words;
}

/** The open inline tags and the marks they add up to. */
function openTags(outside: Marks) {
  const stack: { readonly name: string; readonly marks: Marks }[] = [];
  const marks = () => stack.at(-1)?.marks ?? outside;
  return {
    marks,
    open: (name: string, mark: Partial<Marks>) => void stack.push({ name, marks: { ...marks(), ...mark } }),
    close(name: string) {
      const at = stack.findLastIndex((tag) => tag.name === name);
      if (at >= 0) stack.length = at;
    },
  };
}

function readHtml(html: string, open: ReturnType<typeof openTags>, runs: Run[]): void {
  if (isEmptyComment(html)) return;
  // Besides tags there are comments, and `&nbsp;` and other entities that our writer passes through.
  const tag = parseTag(html);
  if (tag === null || !isKnown(tag)) runs.push({ ...open.marks(), text: tag === null ? unescapeHtml(html) : html });
  else if (tag.name === 'br') runs.push({ ...open.marks(), text: '\n' });
  else if (tag.isEnd) open.close(tag.name);
  else if (tag.name === 'img') runs.push(pictureRun(open.marks(), tag.attribute('alt') ?? '', tag.attribute('src')));
  else if (tag.name === 'span' && tag.attribute('data-formula') !== null) open.open('span', { formula: true });
  else if (tag.name === 'a') open.open('a', { link: parseLinkUrl(tag.attribute('href')) ?? open.marks().link });
  else {
    const mark = MARK_OF_TAG[tag.name];
    if (mark !== undefined) open.open(tag.name, mark);
  }
}

const isKnown = ({ name }: Tag): boolean => name === 'br' || MARK_OF_TAG[name] !== undefined || DROPPED_TAGS.test(name);
