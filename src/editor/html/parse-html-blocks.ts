// Converts pasted or imported HTML to blocks: keeps content that a page can represent, and drops the rest. Loads
// nothing, not even images.
import {
  MAX_INDENT,
  type Marks,
  PLAIN,
  type Run,
  type Style,
  parseStyle,
  textOfRuns,
} from 'weft-document/blocks/block.ts';
import { formulaText, isInlineTex } from 'weft-document/blocks/inline-formulas.ts';
import { pictureFromUrl } from 'weft-document/blocks/picture-from-url.ts';
import { parseLinkUrl } from 'weft-document/link-url.ts';
import { type BlockWriter, createBlockWriter } from './block-writer.ts';
import { calloutTone, isCallout, isToneName, texOf } from './callouts-and-formulas.ts';
import { htmlMarks, marksOfBlock } from './html-marks.ts';
import { isDataTable, parseHtmlTable, tableLines } from './html-table.ts';
import type { HtmlReadOptions, PastedBlock } from './pasted-block.ts';
import { runsOfBlocks } from './text-of-blocks.ts';
import { weftBlock } from './weft-block.ts';
import { isWordMarker, wordItem } from './word-lists.ts';

const PARAGRAPH: Style = parseStyle({});
const OWN_KIND = /^(?:H[1-6]|HR|PRE|TABLE|DETAILS|BLOCKQUOTE|UL|OL|LI)$/;
const ITEMS: readonly string[] = ['bullet', 'numbered', 'task'];
const SKIPPED = new Set(
  'SCRIPT,STYLE,TEMPLATE,HEAD,META,LINK,TITLE,NOSCRIPT,OBJECT,SVG,CANVAS,SELECT,TEXTAREA,BUTTON,INPUT,COLGROUP'.split(
    ',',
  ),
);
/** Embedded players and frames become link cards, or their titles if they have no web address. */
const FRAMES = new Set(['IFRAME', 'VIDEO', 'AUDIO', 'EMBED']);
const INLINE = new Set(
  'A,ABBR,ACRONYM,B,BDI,BDO,BIG,BR,CITE,CODE,DATA,DEL,DFN,EM,FONT,I,IMG,INS,KBD,LABEL,MARK,O:P,PICTURE,Q,S,SAMP,SMALL,SPAN,STRIKE,STRONG,SUB,SUP,TIME,TT,U,VAR,WBR'.split(
    ',',
  ),
);

/**
 * The blocks of a pasted document or fragment, in order. A table that is too large becomes lines of text and is
 * reported. A picture whose file is available (`hasFile`) stays in the text as a link, until it is placed after its
 * block.
 */
export function parseHtmlBlocks(root: ParentNode, reading: HtmlReadOptions = {}): readonly PastedBlock[] {
  const blocks: PastedBlock[] = [];
  const writer = createBlockWriter(blocks, reading);
  // Spreadsheets say of the cell that its text is bold.
  const marks = root instanceof Element && root.tagName === 'TD' ? marksOfBlock(root, PLAIN) : PLAIN;
  for (const node of root.childNodes) walk(node, PARAGRAPH, marks, writer);
  writer.begin(PARAGRAPH);
  return blocks;
}

function walk(node: Node, style: Style, marks: Marks, writer: BlockWriter): void {
  if (node.nodeType === Node.TEXT_NODE) {
    const text = (node.textContent ?? '').replace(/\r\n?/g, '\n');
    writer.add(style.kind === 'code' || writer.isVerbatim() ? text : text.replace(/[ \t\n\f]+/g, ' '), marks);
    return;
  }
  if (!(node instanceof Element)) return;
  const name = node.tagName.toUpperCase();
  // Formulas come twice: a visual form that is hidden from screen readers, and TeX.
  const tex = texOf(node);
  if (tex !== null) {
    if (!tex.isBlock) {
      const isFormula = isInlineTex(tex.text);
      return writer.add(isFormula ? formulaText(tex.text) : `$$${tex.text}$$`, { ...marks, formula: isFormula });
    }
    writer.begin(after(style));
    return writer.put({ type: 'math', tex: tex.text });
  }
  if (SKIPPED.has(name) || node.matches('[aria-hidden=true], .checkbox') || isWordMarker(node)) return;
  if (writer.isTaken(node) || (style.kind === 'callout' && isToneName(node))) return;
  if (name === 'BR') writer.add('\n', marks);
  else if (name === 'IMG') walkImage(node, style, marks, writer);
  else if (FRAMES.has(name)) addCard(node, style, writer);
  else if (INLINE.has(name))
    walkChildren(node, style, style.kind === 'code' ? marks : htmlMarks(node, name, marks), writer);
  else {
    walkBlock(node, name, style, style.kind === 'code' ? marks : marksOfBlock(node, marks), writer);
    // Code holds several lines in one block, and the text of a callout may be a paragraph or a line.
    if (!((style.kind === 'code' || style.kind === 'callout') && writer.isIn(style))) writer.begin(after(style));
  }
}

function walkChildren(node: Element, style: Style, marks: Marks, writer: BlockWriter): void {
  for (const child of node.childNodes) walk(child, style, marks, writer);
}

/**
 * An image on its own line becomes a link card if it is on the web, else a picture that needs its file. One inside text
 * becomes a link to its file, or without the file its description.
 */
function walkImage(image: Element, style: Style, marks: Marks, writer: BlockWriter): void {
  // The checkbox of Google's checklists.
  if (image.getAttribute('aria-roledescription') === 'checkbox') return;
  const alt = image.getAttribute('alt') ?? '';
  const address = image.getAttribute('src') ?? '';
  const { hasFile, isTextOnly } = writer.reading;
  const isKept = style.kind !== 'code' && hasFile?.(address) === true;
  const picture = isAloneOnLine(image) && !(isKept && isTextOnly === true) ? pictureFromUrl(alt, address) : null;
  if (picture === null) return isKept ? writer.add(address, { ...marks, link: address }) : writer.add(alt, marks);
  const caption = image.closest('figure')?.querySelector('figcaption');
  const words = caption == null ? [] : textIn(writer)(caption);
  writer.begin(after(style));
  // A card has a title but no caption. A caption that differs from the title stays below the card.
  if (caption != null && (picture.type === 'image' || textOfRuns(words) === alt)) writer.take(caption);
  writer.put(picture.type === 'image' && words.length > 0 ? { ...picture, runs: words } : picture);
}

/** True if the image is alone on its line. */
export function isAloneOnLine(image: Element): boolean {
  // Tracking pixels of emails.
  if (image.getAttribute('width') === '1') return false;
  let node = image;
  for (;;) {
    if (hasBeside(node, 'previousSibling') || hasBeside(node, 'nextSibling')) return false;
    const around = node.parentElement;
    if (around === null || !INLINE.has(around.tagName)) return true;
    node = around;
  }
}

/** True if text or another image is on the same line. */
function hasBeside(node: Element, way: 'previousSibling' | 'nextSibling'): boolean {
  for (let one = node[way]; one !== null; one = one[way]) {
    if (one instanceof Element && !SKIPPED.has(one.tagName)) {
      if (one.tagName === 'BR' || !INLINE.has(one.tagName)) return false;
      if (one.tagName === 'IMG' || one.querySelector('img') !== null || (one.textContent ?? '').trim() !== '')
        return true;
    } else if (one.nodeType === Node.TEXT_NODE && (one.textContent ?? '').trim() !== '') return true;
  }
  return false;
}

function addCard(frame: Element, style: Style, writer: BlockWriter): void {
  const title = frame.getAttribute('title') ?? '';
  const url = parseLinkUrl(frame.getAttribute('src') ?? frame.querySelector('source')?.getAttribute('src'));
  if (url === null || !/^https?:/i.test(url)) return writer.add(title, PLAIN);
  writer.begin(after(style));
  writer.put({ type: 'embed', url, title });
}

function walkBlock(node: Element, name: string, around: Style, marks: Marks, writer: BlockWriter): void {
  // Blocks with a kind of their own stand below the text of a callout.
  const isBelow = around.kind === 'callout' && (OWN_KIND.test(name) || isCallout(node));
  const style = isBelow ? after(around) : around;
  const own = weftBlock(node);
  const heading = /^H([1-6])$/.exec(name)?.[1];
  const word = name === 'P' ? wordItem(node) : null;
  if (own !== null) {
    writer.begin(style);
    if (own.type !== 'block') return writer.put(own);
    writer.beginVerbatim(own);
    walkChildren(node, own, PLAIN, writer);
  } else if (name === 'HR') {
    writer.begin(style);
    writer.put({ type: 'divider' });
  } else if (heading !== undefined || node.classList.contains('MsoTitle')) {
    const level = heading === '1' || heading === undefined ? 1 : heading === '2' ? 2 : 3;
    // Google Docs writes headings bold; a heading is bold anyway.
    into(node, { ...style, kind: 'heading', level }, { ...marks, bold: false }, writer);
  } else if (word !== null) into(node, word, marks, writer);
  else if (name === 'PRE') into(node, { ...style, kind: 'code', language: languageOf(node) }, PLAIN, writer);
  else if (name === 'TABLE') walkTable(node, style, marks, writer);
  else if (name === 'DETAILS') walkToggle(node, style, marks, writer);
  else if (isCallout(node)) into(node, { ...style, kind: 'callout', tone: calloutTone(node) }, marks, writer);
  else if (name === 'BLOCKQUOTE' || /\bMso(?:Intense)?Quote\b/.test(node.className)) {
    into(node, { ...style, kind: 'quote' }, marks, writer);
  } else if (name === 'UL' || name === 'OL') {
    // A list directly inside a list (Google Docs, old Word) is one level deeper, like a list inside an item.
    const isNested = ITEMS.includes(style.kind) || node.parentElement?.matches('ul, ol') === true;
    walkChildren(node, isNested ? deeper(style) : style, marks, writer);
  } else if (name === 'LI' || isConfluenceTask(node)) walkItem(node, style, marks, writer);
  else if (style.kind === 'code') {
    walkChildren(node, style, marks, writer);
    writer.add('\n', PLAIN);
  } else if (style.kind === 'callout' && writer.isEmptyIn(style)) walkChildren(node, style, marks, writer);
  else if (ITEMS.includes(style.kind) && writer.isEmptyIn(style)) walkChildren(node, style, marks, writer);
  else into(node, after(style), marks, writer);
}

function into(node: Element, style: Style, marks: Marks, writer: BlockWriter): void {
  writer.begin(style);
  walkChildren(node, style, marks, writer);
}

/** Notion exports a toggle as a list whose only item contains only `<details>`. */
function walkItem(node: Element, style: Style, marks: Marks, writer: BlockWriter): void {
  const only = node.childElementCount === 1 ? node.firstElementChild : null;
  if (only?.tagName === 'DETAILS') walkChildren(node, { ...style, kind: 'paragraph' }, marks, writer);
  else into(node, itemStyle(node, style), marks, writer);
}

function walkToggle(node: Element, style: Style, marks: Marks, writer: BlockWriter): void {
  const toggle: Style = { ...style, kind: 'toggle' };
  const summary = node.querySelector(':scope > summary');
  const own = summary === null ? null : weftBlock(summary);
  const inside = deeper({ ...style, kind: 'paragraph', indent: own?.type === 'block' ? own.indent : style.indent });
  if (summary === null) writer.begin(toggle, true);
  else if (own?.type === 'block') walkBlock(summary, 'SUMMARY', style, marks, writer);
  else {
    writer.begin(toggle, true);
    walkChildren(summary, toggle, marks, writer);
  }
  writer.begin(inside);
  for (const child of node.childNodes) if (child !== summary) walk(child, inside, marks, writer);
}

function walkTable(node: Element, style: Style, marks: Marks, writer: BlockWriter): void {
  if (!isDataTable(node)) return walkChildren(node, style, marks, writer);
  for (const caption of node.querySelectorAll(':scope > caption')) into(caption, after(style), marks, writer);
  writer.begin(after(style));
  const table = parseHtmlTable(node, textIn(writer));
  if (table !== null) return writer.put(table);
  writer.reading.onTooLarge?.();
  for (const runs of tableLines(node, textIn(writer))) writer.put({ type: 'block', ...after(style), runs });
}

/**
 * The content of a cell or caption as text: paragraphs and items become lines. Pictures whose file is available stay as
 * links, until they are placed after the block.
 */
const textIn =
  ({ reading: { hasFile } }: BlockWriter) =>
  (element: Element): readonly Run[] =>
    runsOfBlocks(parseHtmlBlocks(element, hasFile === undefined ? {} : { hasFile, isTextOnly: true }));

/** The style of text after a block: after a list item or the text of a callout, a paragraph below it. */
const after = (style: Style): Style =>
  ITEMS.includes(style.kind) || style.kind === 'callout' ? deeper({ ...style, kind: 'paragraph' }) : style;

const deeper = (style: Style): Style => ({ ...style, indent: Math.min(MAX_INDENT, style.indent + 1) });

function itemStyle(node: Element, { indent }: Style): Style {
  const box = boxOf(node);
  const isTask =
    box !== null ||
    node.getAttribute('data-type') === 'taskItem' ||
    node.getAttribute('role') === 'checkbox' ||
    isConfluenceTask(node);
  const checked =
    (isConfluenceTask(node) && (node.classList.contains('checked') || node.getAttribute(TASK_STATE) === 'DONE')) ||
    box?.matches('[checked], .checkbox-on') === true ||
    node.getAttribute('data-checked') === 'true' ||
    node.getAttribute('aria-checked') === 'true';
  const list = node.closest('ul, ol');
  const item = { ...PARAGRAPH, indent, checked };
  if (isTask || list?.tagName.toUpperCase() !== 'OL') return { ...item, kind: isTask ? 'task' : 'bullet' };
  const isFirst = list.firstElementChild === node;
  const { start, delimiter } = parseStyle({
    start: Number(node.getAttribute('value') ?? (isFirst ? (list.getAttribute('start') ?? '1') : 'none')),
    delimiter: list.classList.contains('paren') ? ')' : null,
  });
  return { ...item, kind: 'numbered', start, delimiter };
}

const TASK_STATE = 'data-task-state';

/** On a shown page, and as its editor copies it. */
const isConfluenceTask = (node: Element): boolean =>
  node.hasAttribute('data-inline-task-id') || node.hasAttribute(TASK_STATE);

/** The checkbox of a task: a direct child, or inside a label, paragraph or `div` (Joplin). Notion's exports mark it with a class. */
function boxOf(item: Element): Element | null {
  // A loop, because a selector would search everything below each item of nested lists.
  for (const child of item.children) {
    for (const one of [child, ...(/^(?:LABEL|P|DIV)$/.test(child.tagName) ? child.children : [])]) {
      if (one.matches('input[type=checkbox], .checkbox')) return one;
    }
  }
  return null;
}

function languageOf(pre: Element): string | null {
  const names = `${pre.className} ${pre.querySelector('code')?.className ?? ''}`;
  return /(?:language|lang|brush:)-?\s*([\w+#-]+)/.exec(names)?.[1] ?? pre.getAttribute('data-language');
}
