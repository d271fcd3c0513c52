// A block, row or cell as it was before a transaction deleted it, so that its author can have it back. Call this while the
// transaction's listeners run: afterwards Yjs drops what deleted items held.
import * as Y from 'yjs';
import { type JsonNode, MAX_NODE_DEPTH, type Piece, jsonRecord, jsonValue } from '../formats/page-json.ts';
import { deletedAttribute, itemsOf, nodeOf, contentString } from '../recovered-text/deleted-part.ts';

/** The characters, with one line for each text in the block. */
export function textOfDeleted(block: Y.XmlElement, transaction: Y.Transaction): string {
  const lines: string[] = [];
  const read = (type: Y.XmlElement | Y.XmlText, depth: number) => {
    const children = itemsOf(type, transaction);
    if (type instanceof Y.XmlText) lines.push(children.map(({ content }) => contentString(content)).join(''));
    else if (depth <= MAX_NODE_DEPTH)
      for (const { content } of children) for (const node of nodeOf(content)) read(node, depth + 1);
  };
  read(block, 0);
  return lines.filter((line) => line.trim() !== '').join('\n');
}

/** The node in the form of the page's file. */
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
    else if (contentString(content) === '') continue;
    else if (last?.attributes === marks && typeof last.insert === 'string') last.insert += contentString(content);
    else pieces.push({ insert: contentString(content), attributes: marks });
  }
  return pieces.map(({ insert, attributes }) =>
    Object.keys(attributes).length === 0 ? { insert } : { insert, attributes: jsonRecord(attributes) },
  );
}
