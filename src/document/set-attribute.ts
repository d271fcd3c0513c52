// Writes an attribute of a node. Yjs stores any JSON value there, but its types only allow strings.
import type * as Y from 'yjs';

export type AttributeValue = string | number | boolean;

export function setAttribute(element: Y.XmlElement, name: string, value: AttributeValue): void {
  const untyped: { setAttribute(name: string, value: unknown): void } = element;
  untyped.setAttribute(name, value);
}
