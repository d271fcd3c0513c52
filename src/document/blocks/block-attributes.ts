// Decides which attributes of a block are stored. Most defaults are left out, because every attribute stays in the log
// forever.
import { type AttributeValue } from '../set-attribute.ts';
import type { AnyBlock } from './detached-block.ts';

/** Null means that the attribute is not stored. */
export function attributesOf(block: AnyBlock): Readonly<Record<string, AttributeValue | null>> {
  switch (block.type) {
    case 'block':
      return {
        kind: block.kind,
        level: block.kind === 'heading' ? block.level : null,
        indent: block.indent || null,
        checked: (block.kind === 'task' && block.checked) || null,
        language: block.kind === 'code' ? block.language : null,
        tone: block.kind === 'callout' ? block.tone : null,
        start: block.kind === 'numbered' ? block.start : null,
        delimiter: block.kind === 'numbered' && block.delimiter !== '.' ? block.delimiter : null,
      };
    case 'image':
      return {
        file: block.file,
        name: block.name || null,
        width: block.width || null,
        height: block.height || null,
        size: block.size,
      };
    case 'file':
      return { file: block.file, name: block.name || null, bytes: block.bytes || null, mime: block.mime || null };
    case 'table':
      return { headRow: block.headRow || null, headColumn: block.headColumn || null };
    case 'embed':
      return { url: block.url, title: block.title || null };
    case 'divider':
    case 'math':
    case 'subpages':
    case 'unknown':
      return {};
  }
}
