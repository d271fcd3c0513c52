// A page as Weft's own file format: every node, mark and attribute as stored, including those that only a newer version
// knows.
import * as v from 'valibot';
import { type DocumentId, parseDocumentId } from 'weft-sync/protocol/ids.ts';
import * as Y from 'yjs';
import { type Result, err, ok } from '../../lib/result.ts';
import { type AttachmentId, parseAttachmentId } from '../../protocol/ids.ts';
import { SCHEMA_VERSION } from '../../protocol/limits.ts';
import { type BodyPart, bodyParts, textOfPart } from '../body-parts.ts';
import { deltaOf } from '../body/parse-body.ts';
import { FILE, IMAGE, bodyOf } from '../names.ts';
import { readTitle } from '../title.ts';

export const PAGE_FORMAT = 'weft-page';
/** Levels of objects and lists in a file. Deeper files are rejected, so that no traversal overflows the stack. */
const MAX_FILE_DEPTH = 40;
/** Levels of elements that are written, two levels of the file each. Tables have three. */
export const MAX_NODE_DEPTH = 10;
/** Levels of objects and lists in an attribute that are written. Marks have one. */
const MAX_VALUE_DEPTH = 10;
export const MAX_NODE_NAME = 100;

export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };
export type Piece = { readonly insert: Json; readonly attributes?: Readonly<Record<string, Json>> };
export type JsonNode =
  | { readonly text: readonly Piece[] }
  | {
      readonly node: string;
      readonly attributes: Readonly<Record<string, Json>>;
      readonly content: readonly JsonNode[];
    };
export type PageFile = {
  readonly format: typeof PAGE_FORMAT;
  /** The schema version of the app that wrote the file. */
  readonly version: number;
  readonly title: string;
  /** The page that its pictures and files belong to, or null if unknown. */
  readonly document: DocumentId | null;
  readonly body: readonly JsonNode[];
  /** Comments, which an import leaves out. */
  readonly comments?: readonly unknown[];
};

/**
 * A comment thread of the page, for those who read the file: an import leaves it out, since anyone can write any name in a file.
 */
export type FileThread = {
  readonly kind: 'text' | 'block' | 'page';
  readonly quote?: string;
  /** The id of the block that it is about, while the page has it. */
  readonly block?: string;
  /** Where its words are in the page's texts, each with a line break behind it, in UTF-16 units. */
  readonly from?: number | null;
  readonly to?: number | null;
  readonly resolved: boolean;
  /** `at`: such as `2026-11-21T10:00:00.000Z`. `body`: its paragraphs and items of lists. */
  readonly comments: readonly { readonly by: string; readonly at: string; readonly body: readonly unknown[] }[];
};

const headOf = (doc: Y.Doc, document: DocumentId | null): Omit<PageFile, 'body'> => ({
  format: PAGE_FORMAT,
  version: SCHEMA_VERSION,
  document,
  title: readTitle(doc),
});

export const fileOfPage = (doc: Y.Doc, document: DocumentId | null): PageFile => ({
  ...headOf(doc, document),
  body: bodyParts(bodyOf(doc)).flatMap(jsonOfPart),
});

/** Writes one line per block, so that two versions of a page can be compared. Yields pieces for large pages. */
export function* pageToJson(
  doc: Y.Doc,
  document: DocumentId | null,
  threads: readonly FileThread[] = [],
): Generator<string> {
  yield `${JSON.stringify(headOf(doc, document)).slice(0, -1)},"body":[`;
  let separator = '\n';
  for (const part of bodyParts(bodyOf(doc))) {
    for (const node of jsonOfPart(part)) {
      yield `${separator}${JSON.stringify(node)}`;
      separator = ',\n';
    }
  }
  yield threads.length === 0
    ? '\n]}\n'
    : `\n],"comments":[\n${threads.map((thread) => JSON.stringify(thread)).join(',\n')}\n]}\n`;
}

/** Loose content becomes a text, which an import leaves out. */
const jsonOfPart = (part: BodyPart): readonly JsonNode[] =>
  part.element === null ? [{ text: [{ insert: textOfPart(part) }] }] : jsonOf(part.element);

/** Leaves out what no app of this schema stores and an import would reject: elements nested deep, or without a usable name. */
function jsonOf(node: Y.XmlElement | Y.XmlText | Y.XmlHook, depth = 0): readonly JsonNode[] {
  if (node instanceof Y.XmlText) return [{ text: deltaOf(node).map(pieceOf) }];
  if (!(node instanceof Y.XmlElement) || depth > MAX_NODE_DEPTH) return [];
  if (node.nodeName === '' || node.nodeName.length > MAX_NODE_NAME) return [];
  const content = node.toArray().flatMap((child) => jsonOf(child, depth + 1));
  return [{ node: node.nodeName, attributes: jsonRecord(node.getAttributes()), content }];
}

/** A piece of a text, from a Yjs delta. */
export function pieceOf({
  insert,
  attributes,
}: {
  readonly insert: unknown;
  readonly attributes?: object | null;
}): Piece {
  const marks = jsonRecord(attributes ?? {});
  return Object.keys(marks).length === 0
    ? { insert: jsonValue(insert) }
    : { insert: jsonValue(insert), attributes: marks };
}

export const jsonRecord = (record: object): Readonly<Record<string, Json>> =>
  Object.fromEntries(
    Object.entries(record).flatMap(([name, value]: [string, unknown]) =>
      value === undefined ? [] : [[name, jsonValue(value)] as const],
    ),
  );

/** Null for bytes, infinite numbers, shared types and deep values, which no app of this schema stores. */
export const jsonValue = (value: unknown): Json => (isJson(value, 0) ? value : null);

/** Without a schema: a page has a hundred thousand values, and a shared type refers to its whole document. */
function isJson(value: unknown, depth: number): value is Json {
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || value === null) return ['string', 'boolean', 'object'].includes(typeof value);
  // ProseMirror's objects of attributes have no prototype, and Yjs keeps them until the page is opened again.
  const isPlain = Array.isArray(value) || [Object.prototype, null].includes(Object.getPrototypeOf(value));
  return isPlain && depth < MAX_VALUE_DEPTH && Object.values(value).every((one) => isJson(one, depth + 1));
}

const json: v.GenericSchema<unknown, Json> = v.lazy(() =>
  v.union([
    v.string(),
    v.pipe(v.number(), v.finite()),
    v.boolean(),
    v.null(),
    v.array(json),
    v.record(v.string(), json),
  ]),
);

const attributes = v.record(v.string(), json);
const piece = v.object({ insert: json, attributes: v.exactOptional(attributes) });
const node: v.GenericSchema<unknown, JsonNode> = v.lazy(() =>
  v.union([
    v.object({ text: v.array(piece) }),
    v.object({
      node: v.pipe(v.string(), v.minLength(1), v.maxLength(MAX_NODE_NAME)),
      attributes,
      content: v.array(node),
    }),
  ]),
);
const file = v.object({
  format: v.literal(PAGE_FORMAT),
  version: v.pipe(v.number(), v.integer(), v.minValue(1)),
  document: v.optional(
    v.pipe(
      v.unknown(),
      v.transform((id) => (typeof id === 'string' ? parseDocumentId(id) : null)),
    ),
    null,
  ),
  title: v.string(),
  body: v.array(node),
  comments: v.exactOptional(v.array(v.unknown())),
});

export type PageFileProblem = 'not a page' | 'newer';

export function parsePageFile(text: string): Result<PageFile, PageFileProblem> {
  const read = readJson(text);
  const head = v.safeParse(v.object({ format: v.literal(PAGE_FORMAT), version: v.number() }), read);
  // Check this before the nodes: a newer version may store them in another way.
  if (head.success && head.output.version > SCHEMA_VERSION) return err('newer');
  const parsed = isDeep(read) ? null : v.safeParse(file, read);
  return parsed?.success === true ? ok(parsed.output) : err('not a page');
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Uses an explicit stack, so that ten thousand nested brackets do not overflow ours. */
function isDeep(value: unknown): boolean {
  const queue: { readonly value: unknown; readonly depth: number }[] = [{ value, depth: 0 }];
  for (let one = queue.pop(); one !== undefined; one = queue.pop()) {
    const { value: inner, depth } = one;
    if (typeof inner !== 'object' || inner === null) continue;
    if (depth > MAX_FILE_DEPTH) return true;
    for (const child of Object.values(inner) as readonly unknown[]) queue.push({ value: child, depth: depth + 1 });
  }
  return false;
}

/**
 * Returns the page with its own copies of pictures and files. `copy` returns the new id of an attachment of another
 * page.
 */
export function withCopiedFiles(
  file: PageFile,
  copy: (from: { readonly document: DocumentId; readonly id: AttachmentId }, name: string) => AttachmentId,
): PageFile {
  const { document, body } = file;
  if (document === null) return file;
  const withCopy = (one: JsonNode): JsonNode => {
    if (!('node' in one) || (one.node !== IMAGE && one.node !== FILE)) return one;
    const { file: fileId, name } = one.attributes;
    const id = typeof fileId === 'string' ? parseAttachmentId(fileId) : null;
    if (id === null) return one;
    return {
      ...one,
      attributes: { ...one.attributes, file: copy({ document, id }, typeof name === 'string' ? name : '') },
    };
  };
  return { ...file, body: body.map(withCopy) };
}

/**
 * The nodes of a file, ready to be inserted into a new document. Ids stay, because they only need to be unique in their
 * page.
 */
export const elementsOfFile = ({ body }: PageFile): readonly Y.XmlElement[] =>
  body.flatMap((one) => ('node' in one ? [elementOf(one)] : []));

function elementOf({ node: name, attributes: values, content }: Extract<JsonNode, { node: string }>): Y.XmlElement {
  const element = new Y.XmlElement(name);
  const untyped: { setAttribute(name: string, value: unknown): void } = element;
  for (const [key, value] of Object.entries(values)) untyped.setAttribute(key, value);
  const children = content.map((child) => ('node' in child ? elementOf(child) : textOf(child.text)));
  if (children.length > 0) element.insert(0, children);
  return element;
}

function textOf(pieces: readonly Piece[]): Y.XmlText {
  const text = new Y.XmlText();
  text.applyDelta(pieces.filter(({ insert }) => insert !== ''));
  return text;
}
