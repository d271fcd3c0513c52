// A block as it was before a transaction deleted it. Call this while the transaction's listeners run: afterwards Yjs drops
// what deleted items held.
import * as Y from 'yjs';
import { type JsonNode, MAX_NODE_DEPTH, type Piece, jsonRecord, jsonValue } from '../formats/page-json.ts';
import { bodyOf } from '../names.ts';
import { deletedAttribute } from '../lost-words/lost-texts.ts';

/** The children of the body that the transaction deleted, in no particular order. */
export function deletedBlocks(transaction: Y.Transaction): readonly Y.XmlElement[] {
  const body = bodyOf(transaction.doc);
  const blocks: Y.XmlElement[] = [];
  if (!hasChangedBody(transaction)) return blocks;
  Y.iterateDeletedStructs(transaction, transaction.deleteSet, (struct) => {
    if (!(struct instanceof Y.Item) || struct.parent !== body || !wasThere(struct, transaction)) return;
    if (struct.content instanceof Y.ContentType && struct.content.type instanceof Y.XmlElement)
      blocks.push(struct.content.type);
  });
  return blocks;
}

/** The children of the body that the transaction inserted, in order. */
export function insertedBlocks(transaction: Y.Transaction): readonly Y.XmlElement[] {
  if (!hasChangedBody(transaction)) return [];
  return bodyOf(transaction.doc)
    .toArray()
    .filter((node) => node instanceof Y.XmlElement)
    .filter(({ _item: item }) => item !== null && !wasThere(item, transaction));
}

export function hasChangedBody({ changed, doc }: Y.Transaction): boolean {
  const types: ReadonlyMap<unknown, unknown> = changed;
  return types.has(bodyOf(doc));
}

/** The letters, with one line for each text in the block. */
export function deletedText(block: Y.XmlElement, transaction: Y.Transaction): string {
  const lines: string[] = [];
  const read = (type: Y.XmlElement | Y.XmlText, depth: number) => {
    const children = itemsOf(type, transaction);
    if (type instanceof Y.XmlText) lines.push(children.map(({ content }) => textOf(content)).join(''));
    else if (depth <= MAX_NODE_DEPTH)
      for (const { content } of children) for (const node of nodeOf(content)) read(node, depth + 1);
  };
  read(block, 0);
  return lines.filter((line) => line.trim() !== '').join('\n');
}

export function deletedNode(block: Y.XmlElement, transaction: Y.Transaction, depth = 0): JsonNode {
  const content = itemsOf(block, transaction).flatMap((item) =>
    nodeOf(item.content).flatMap((node): readonly JsonNode[] => {
      if (node instanceof Y.XmlText) return [{ text: piecesOf(node, transaction) }];
      return depth < MAX_NODE_DEPTH ? [deletedNode(node, transaction, depth + 1)] : [];
    }),
  );
  const attributes = Object.fromEntries(Array.from(block._map.keys(), (name) => [name, deletedAttribute(block, name)]));
  return { node: block.nodeName, attributes: jsonRecord(attributes), content };
}

function piecesOf(text: Y.XmlText, transaction: Y.Transaction): readonly Piece[] {
  const pieces: { insert: Piece['insert']; attributes: Readonly<Record<string, unknown>> }[] = [];
  let marks: Readonly<Record<string, unknown>> = {};
  for (const { content } of itemsOf(text, transaction)) {
    const last = pieces.at(-1);
    if (content instanceof Y.ContentFormat) {
      const { [content.key]: _, ...others } = marks;
      marks = content.value === null ? others : { ...others, [content.key]: content.value };
    } else if (content instanceof Y.ContentEmbed) pieces.push({ insert: jsonValue(content.embed), attributes: marks });
    else if (textOf(content) === '') continue;
    else if (last?.attributes === marks && typeof last.insert === 'string') last.insert += textOf(content);
    else pieces.push({ insert: textOf(content), attributes: marks });
  }
  return pieces.map(({ insert, attributes }) =>
    Object.keys(attributes).length === 0 ? { insert } : { insert, attributes: jsonRecord(attributes) },
  );
}

function itemsOf({ _start }: Y.XmlElement | Y.XmlText, transaction: Y.Transaction): readonly Y.Item[] {
  const items: Y.Item[] = [];
  for (let item = _start; item !== null; item = item.right) if (wasThere(item, transaction)) items.push(item);
  return items;
}

/** It was there before the transaction. */
const wasThere = ({ id, deleted }: Y.Item, { beforeState, deleteSet }: Y.Transaction): boolean =>
  id.clock < (beforeState.get(id.client) ?? 0) && (!deleted || Y.isDeleted(deleteSet, id));

const textOf = (content: Y.Item['content']): string => (content instanceof Y.ContentString ? content.str : '');

const nodeOf = (content: Y.Item['content']): readonly (Y.XmlElement | Y.XmlText)[] =>
  content instanceof Y.ContentType && (content.type instanceof Y.XmlElement || content.type instanceof Y.XmlText)
    ? [content.type]
    : [];
