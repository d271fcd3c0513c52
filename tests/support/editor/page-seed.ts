// Builds the first update of a page with given lines, like the seed that the database stores.
import { CONTENT, bodyOf } from 'weft-document/names.ts';
import { setAttribute } from 'weft-document/set-attribute.ts';
import * as Y from 'yjs';

type Line = {
  readonly kind?: string;
  readonly text?: string;
  readonly marks?: Readonly<Record<string, object>>;
  readonly [attribute: string]: unknown;
};

export type PageLine = string | Line;

export function pageSeed(...lines: readonly PageLine[]): Uint8Array {
  const doc = new Y.Doc();
  doc.clientID = 2;
  const elements = lines.map((line, at) => {
    const { text = '', marks = {}, node = 'block', ...attributes } = typeof line === 'string' ? { text: line } : line;
    const element = new Y.XmlElement(String(node));
    for (const [name, value] of Object.entries({ id: `line-${at}`, kind: 'paragraph', ...attributes })) {
      if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
        setAttribute(element, name, value);
      }
    }
    if (CONTENT[String(node)] !== 'nothing') {
      const words = new Y.XmlText();
      words.applyDelta([{ insert: text, attributes: marks }]);
      element.insert(0, [words]);
    }
    return element;
  });
  bodyOf(doc).insert(0, elements);
  return Y.encodeStateAsUpdate(doc);
}
