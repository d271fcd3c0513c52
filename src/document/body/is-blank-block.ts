// Whether a node is a text block without text, such as the only block of a new page.
import * as Y from 'yjs';
import { BLOCK } from '../names.ts';

export const isBlankBlock = (node: unknown): boolean =>
  node instanceof Y.XmlElement &&
  node.nodeName === BLOCK &&
  node.toArray().every((child) => child instanceof Y.XmlText && child.length === 0);
