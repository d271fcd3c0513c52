// Writes an attribute of a node. Apart because Yjs stores any JSON value there while its types admit strings only.
import type * as Y from 'yjs';

export type AttributeValue = string | number | boolean;

export function setAttribute(element: Y.XmlElement, name: string, value: AttributeValue): void {
  const untyped: { setAttribute(name: string, value: unknown): void } = element;
  untyped.setAttribute(name, value);
}
