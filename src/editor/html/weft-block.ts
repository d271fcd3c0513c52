// Reads the exact block that `src/document/html/blocks-to-html.ts` stored in its HTML for Weft, beside the form for other
// programs.
import { type Marks, PLAIN, type Run, parseStyle } from 'weft-document/blocks/block.ts';
import { joinRuns } from 'weft-document/blocks/detached-block.ts';
import { parseEmbed, parseFile, parseImage, parseTable } from 'weft-document/body/parse-body.ts';
import { parseAlignment, parseWidth } from 'weft-document/tables/table-columns.ts';
import { type DocumentId, parseDocumentId } from 'weft-sync/protocol/ids.ts';
import { htmlMarks } from './html-marks.ts';
import { parseHtmlTable } from './html-table.ts';
import type { PastedBlock } from './pasted-block.ts';

type StoredBlock = Readonly<Record<string, unknown>>;

/** Null for HTML of other programs, and for a table that is too large. The text of a text block is read separately. */
export function weftBlock(node: Element): PastedBlock | null {
  const stored = storedBlockOf(node);
  switch (stored?.['type']) {
    case 'block':
      return { type: 'block', ...parseStyle(stored), runs: [] };
    case 'image': {
      const caption = node.querySelector(':scope > figcaption');
      const runs = caption === null ? [] : exactText(caption);
      return { type: 'image', ...parseImage(stored), document: pageOf(stored), runs };
    }
    case 'file':
      return { type: 'file', ...parseFile(stored), document: pageOf(stored) };
    case 'math':
      return { type: 'math', tex: node.textContent ?? '' };
    case 'embed':
      return { type: 'embed', ...parseEmbed(stored) };
    case 'subpages':
      return { type: 'subpages' };
    case 'table': {
      const table = parseHtmlTable(node, exactText);
      return table === null ? null : { ...table, ...parseTable(stored), ...columnsIn(stored) };
    }
    default:
      return null;
  }
}

/** The page that the file belongs to. */
function pageOf({ document }: StoredBlock): DocumentId | null {
  return typeof document === 'string' ? parseDocumentId(document) : null;
}

const columnsIn = ({ widths, alignments }: StoredBlock) => ({
  widths: Array.isArray(widths) ? widths.map(parseWidth) : [],
  alignments: Array.isArray(alignments) ? alignments.map(parseAlignment) : [],
});

/** Text without any cleaning up. */
function exactText(element: Element): readonly Run[] {
  const runs: Run[] = [];
  const collect = (parent: Element, marks: Marks) => {
    for (const child of parent.childNodes) {
      if (child.nodeType === Node.TEXT_NODE) runs.push({ ...marks, text: child.textContent ?? '' });
      else if (child instanceof HTMLBRElement) runs.push({ ...marks, text: '\n' });
      else if (child instanceof Element) collect(child, htmlMarks(child, child.tagName, marks));
    }
  };
  collect(element, PLAIN);
  return joinRuns(runs);
}

function storedBlockOf(node: Element): StoredBlock | null {
  try {
    const stored: unknown = JSON.parse(node.getAttribute('data-weft') ?? 'null');
    return typeof stored === 'object' && stored !== null ? { ...stored } : null;
  } catch {
    return null;
  }
}
