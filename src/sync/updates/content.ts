// The content of a Y.Doc as text that is equal for equal content, whatever updates produced it: by it a snapshot is compared with
// its rows (SN7). Knows no editor schema: it walks every shared type by what Yjs stores, nested types and marks included.
import * as Y from 'yjs';
import { toBase64 } from '../../lib/bytes.ts';

/** Throws when types are nested deeper than the stack allows. */
export function docContent(doc: Y.Doc): string {
  const types = [...doc.share].map(([name, type]) => `${quoted(name)}:${typeText(type)}`);
  // Asking for a type creates an empty one, so empty types are not content.
  return types
    .filter((text) => !text.endsWith(EMPTY))
    .sort()
    .join('\n');
}

const EMPTY = ':{}[]';

type SharedType = Y.ContentType['type'];
type Content = Y.Item['content'];
type Marks = ReadonlyMap<string, string>;
type Part = { readonly marks: string; text: string };

/** First the entries by key (of maps; attributes of XML and text), then the items in order. */
function typeText(type: SharedType): string {
  const entries: string[] = [];
  for (const [key, item] of type._map) {
    if (!item.deleted) entries.push(`${quoted(key)}:${lastOf(item.content)}`);
  }
  const parts: Part[] = [];
  let marks: Marks = new Map();
  for (let item = type._start; item !== null; item = item.right) {
    if (item.deleted) continue;
    if (item.content instanceof Y.ContentFormat) marks = marked(marks, item.content);
    else add(parts, marks, item.content);
  }
  const list = parts.map((part) => `${part.marks}${part.text}`);
  return `{${entries.sort().join(',')}}[${list.join('|')}]`;
}

/** Pieces under the same marks are joined, because it is not content how an item is cut into pieces. */
function add(parts: Part[], marks: Marks, content: Content): void {
  const text = contentText(content);
  const under = marksText(marks);
  const last = parts.at(-1);
  if (last?.marks === under) last.text += text;
  else parts.push({ marks: under, text });
}

const marked = (marks: Marks, { key, value }: Y.ContentFormat): Marks => {
  const next = new Map(marks);
  if (value === null) next.delete(key);
  else next.set(key, valueText(value));
  return next;
};

const marksText = (marks: Marks): string =>
  marks.size === 0
    ? ''
    : `<${[...marks]
        .map(([key, value]) => `${quoted(key)}=${value}`)
        .sort()
        .join(',')}>`;

function contentText(content: Content): string {
  // Each character or value by itself, so that it does not matter how many share an item.
  if (content instanceof Y.ContentString) return content.str.replaceAll(/[\\()|[\]{}<>]/gu, String.raw`\$&`);
  if (content instanceof Y.ContentType) return `(${kindOf(content.type)}${typeText(content.type)})`;
  if (content instanceof Y.ContentEmbed) return `(embed ${valueText(content.embed)})`;
  return content
    .getContent()
    .map((value) => `(${valueText(value)})`)
    .join('');
}

/** A key holds one value; if an item has several, the last one counts. */
function lastOf(content: Content): string {
  if (content instanceof Y.ContentType || content instanceof Y.ContentEmbed) return contentText(content);
  return `(${valueText(content.getContent().at(-1))})`;
}

function kindOf(type: SharedType): string {
  if (type instanceof Y.XmlElement) return `element ${quoted(type.nodeName)}`;
  if (type instanceof Y.XmlHook) return `hook ${quoted(type.hookName)}`;
  if (type instanceof Y.XmlText) return 'xmltext';
  if (type instanceof Y.XmlFragment) return 'fragment';
  if (type instanceof Y.Text) return 'text';
  if (type instanceof Y.Map) return 'map';
  return type instanceof Y.Array ? 'array' : 'type';
}

const quoted = (text: string): string => JSON.stringify(text);

/** Every value that Yjs can store as distinct text. JSON alone drops `undefined`, bytes and NaN. */
export function valueText(value: unknown): string {
  if (typeof value === 'string') return quoted(value);
  if (value instanceof Uint8Array) return `bytes ${toBase64(value)}`;
  if (value instanceof Y.Doc) return `doc ${quoted(value.guid)}`;
  if (Array.isArray(value)) return `[${value.map(valueText).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).map(([key, held]) => `${quoted(key)}:${valueText(held)}`);
    return `{${entries.sort().join(',')}}`;
  }
  if (typeof value === 'bigint') return `${value}n`;
  return Object.is(value, -0) ? '-0' : String(value);
}
