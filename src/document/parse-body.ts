// A Y.Doc's body as plain values. Never throws and drops nothing: what it does not know becomes `unknown`.
import * as Y from 'yjs';
import { type Block, type Run, parseStyle } from './block.ts';
import { parseLinkUrl } from './link-url.ts';
import { BLOCK, DIVIDER, bodyOf } from './names.ts';

export const parseBody = (doc: Y.Doc): readonly Block[] => bodyOf(doc).toArray().map(parseNode);

export function parseNode(node: Y.XmlElement | Y.XmlText | Y.XmlHook): Block {
  const item = node._item;
  const key = item === null ? '' : `${item.id.client}.${item.id.clock}`;
  if (!(node instanceof Y.XmlElement)) return { type: 'unknown', key, id: null, name: 'text' };
  const attributes: Readonly<Record<string, unknown>> = node.getAttributes();
  const id = typeof attributes['id'] === 'string' ? attributes['id'] : null;
  if (node.nodeName === DIVIDER) return { type: 'divider', key, id };
  if (node.nodeName !== BLOCK) return { type: 'unknown', key, id, name: node.nodeName };
  return { type: 'block', key, id, ...parseStyle(attributes), runs: runsOf(node) };
}

/** A mark of y-tiptap may carry a hash behind its name. */
export const markName = (attribute: string): string => attribute.replace(/--[\w+/=]{8}$/, '');

function runsOf(block: Y.XmlElement): readonly Run[] {
  const runs: Run[] = [];
  for (const child of block.toArray()) {
    if (!(child instanceof Y.XmlText)) continue;
    for (const { insert, attributes } of child.toDelta() as readonly { insert: unknown; attributes?: object }[]) {
      if (typeof insert === 'string') runs.push({ text: insert, ...marksOf(attributes ?? {}) });
    }
  }
  return runs;
}

function marksOf(attributes: object): Omit<Run, 'text'> {
  const marks = new Map(Object.entries(attributes).map(([name, value]) => [markName(name), value as unknown]));
  const link = marks.get('link');
  return {
    bold: marks.has('bold'),
    italic: marks.has('italic'),
    underline: marks.has('underline'),
    strike: marks.has('strike'),
    code: marks.has('code'),
    link: typeof link === 'object' && link !== null && 'href' in link ? parseLinkUrl(link.href) : null,
  };
}
