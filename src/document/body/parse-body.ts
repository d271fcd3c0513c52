// Parses the body of a Y.Doc into plain values. Never throws: a node that this version does not know becomes `unknown`.
import * as Y from 'yjs';
import { type Block, MAX_ATTRIBUTE_LENGTH, type Marks, type Run, parseStyle, textOfRuns } from '../blocks/block.ts';
import { type BodyPart, bodyParts, textOfPart } from '../body-parts.ts';
import { parseLinkUrl } from '../link-url.ts';
import { BLOCK, DIVIDER, EMBED, FILE, IMAGE, MATH, SUBPAGES, TABLE, bodyOf } from '../names.ts';
import { parseColumns } from '../tables/table-columns.ts';
import { cellGrid } from '../tables/table-grid.ts';

export const parseBody = (doc: Y.Doc): readonly Block[] => bodyParts(bodyOf(doc)).map(parsePart);

export function parsePart(part: BodyPart): Block {
  const { element: node, first } = part;
  const key = `${first.id.client}.${first.id.clock}`;
  if (node === null) return looseBlock(key, textOfPart(part));
  return parseNode(node.nodeName, {
    key,
    attributes: node.getAttributes(),
    runs: () => runsOf(node),
    cells: () =>
      cellGrid(node).map((row) =>
        row.map((cell) => ({ key: keyOf(cell), attributes: cell.getAttributes(), runs: runsOf(cell) })),
      ),
    text: () => textOfPart(part),
  });
}

export const looseBlock = (key: string, text: string): Block => ({ type: 'unknown', key, id: null, name: null, text });

/** A node to parse: of the document, of an earlier state of it, or of the editor. The functions run only for kinds that need them. */
export type NodeSource = {
  readonly key: string;
  readonly attributes: Attributes;
  readonly runs: () => readonly Run[];
  readonly cells: () => readonly (readonly CellSource[])[];
  /** All text inside. */
  readonly text: () => string;
};
type CellSource = { readonly key: string; readonly attributes: Attributes; readonly runs: readonly Run[] };

export function parseNode(name: string, { key, attributes, runs, cells, text }: NodeSource): Block {
  const keys = { key, id: textOr(attributes['id'], null) };
  switch (name) {
    case BLOCK:
      return { type: 'block', ...keys, ...parseStyle(attributes), runs: runs() };
    case DIVIDER:
      return { type: 'divider', ...keys };
    case IMAGE:
      return { type: 'image', ...keys, ...parseImage(attributes), runs: runs() };
    case FILE:
      return { type: 'file', ...keys, ...parseFile(attributes) };
    case TABLE:
      return { type: 'table', ...keys, ...parseTable(attributes), ...parseRows(cells()) };
    case MATH:
      return { type: 'math', ...keys, tex: textOfRuns(runs()) };
    case EMBED:
      return { type: 'embed', ...keys, ...parseEmbed(attributes) };
    case SUBPAGES:
      return { type: 'subpages', ...keys };
    default:
      return { type: 'unknown', ...keys, name, text: text() };
  }
}

/** Tiptap's binding, which early versions of Weft used, may append a hash to the name of a mark. */
export const markName = (attribute: string): string => attribute.replace(/--[\w+/=]{8}$/, '');

type Attributes = Readonly<Record<string, unknown>>;

export const parseImage = ({ file, name, width, height, size }: Attributes) => ({
  file: textOr(file, null),
  name: textOr(name, ''),
  width: countOr(width, 0),
  height: countOr(height, 0),
  size: typeof size === 'number' && size >= 10 && size <= 100 ? Math.round(size) : null,
});

export const parseFile = ({ file, name, bytes, mime }: Attributes) => ({
  file: textOr(file, null),
  name: textOr(name, ''),
  bytes: countOr(bytes, 0),
  mime: textOr(mime, 'application/octet-stream'),
});

export const parseTable = ({ headRow, headColumn }: Attributes) => ({
  headRow: headRow === true,
  headColumn: headColumn === true,
});

export const parseEmbed = ({ url, title }: Attributes) => ({ url: parseLinkUrl(url), title: textOr(title, '') });

const textOr = <T>(value: unknown, other: T): string | T =>
  typeof value === 'string' && value !== '' ? value.slice(0, MAX_ATTRIBUTE_LENGTH) : other;

const countOr = (value: unknown, other: number): number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : other;

function keyOf({ _item: item }: Y.XmlElement): string {
  return item === null ? '' : `${item.id.client}.${item.id.clock}`;
}

function parseRows(cells: readonly (readonly CellSource[])[]) {
  return {
    ...parseColumns(cells.map((row) => row.map(({ attributes }) => attributes))),
    rows: cells.map((row) => row.map(({ key, runs }) => ({ key, runs }))),
  };
}

/** A text as a Yjs delta: inserted pieces with their formatting. */
export const deltaOf = (text: Y.XmlText) =>
  text.toDelta() as readonly { readonly insert: unknown; readonly attributes?: object }[];

const runsOf = (block: Y.XmlElement): readonly Run[] =>
  block.toArray().flatMap((child) => (child instanceof Y.XmlText ? runsOfDelta(deltaOf(child)) : []));

export const runsOfDelta = (
  delta: readonly { readonly insert: unknown; readonly attributes?: object | null }[],
): readonly Run[] =>
  delta.flatMap(({ insert, attributes }) =>
    typeof insert === 'string' ? [{ text: insert, ...marksOf(attributes ?? {}) }] : [],
  );

export function marksOf(attributes: object): Marks {
  const marks = new Map(Object.entries(attributes).map(([name, value]) => [markName(name), value as unknown]));
  return {
    bold: marks.has('bold'),
    italic: marks.has('italic'),
    underline: marks.has('underline'),
    strike: marks.has('strike'),
    code: marks.has('code'),
    highlight: marks.has('highlight'),
    formula: marks.has('formula'),
    link: parseLinkUrl(fieldOf(marks.get('link'), 'href')),
    mention: textOr(fieldOf(marks.get('mention'), 'user'), null),
    date: parseDay(fieldOf(marks.get('date'), 'day')),
  };
}

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;

/** Returns a day such as `2026-11-21`, or null. */
export const parseDay = (value: unknown): string | null =>
  typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) && isOfCalendar(value) ? value : null;

/** Some browsers read 31 February as a day in March, others as no day. */
function isOfCalendar(day: string): boolean {
  const time = Date.parse(day);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day);
}
