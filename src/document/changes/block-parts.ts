// The parts of a block that are compared: its texts and its attributes.
import { type Block, type Run, type TextBlock, textOfRuns } from '../blocks/block.ts';
import type { AttributeChange, ComparedValue } from './page-changes.ts';

type Attributes = Readonly<Record<string, ComparedValue>>;

/** The attributes that apply. The document also keeps attributes that a kind ignores, but their changes do not show. */
export function appliedAttributes(block: Block): Attributes {
  switch (block.type) {
    case 'block':
      return styleOf(block);
    case 'image': {
      const { file, name, width, height, size } = block;
      return { file, name, width, height, size };
    }
    case 'file': {
      const { file, name, bytes, mime } = block;
      return { file, name, bytes, mime };
    }
    case 'table': {
      const { headRow, headColumn, widths, alignments } = block;
      return { headRow, headColumn, widths: widths.join(), alignments: alignments.join() };
    }
    case 'math':
      return { tex: block.tex };
    case 'embed':
      return { url: block.url, title: block.title };
    case 'unknown':
      return { name: block.name, text: block.text };
    case 'divider':
    case 'subpages':
      return {};
  }
}

function styleOf({ kind, level, indent, checked, language, tone, start, delimiter }: TextBlock): Attributes {
  switch (kind) {
    case 'heading':
      return { kind, level, indent };
    case 'task':
      return { kind, checked, indent };
    case 'code':
      return { kind, language, indent };
    case 'callout':
      return { kind, tone, indent };
    case 'numbered':
      return { kind, start, delimiter, indent };
    default:
      return { kind, indent };
  }
}

export function attributeChanges(before: Block, after: Block): readonly AttributeChange[] {
  const [one, other] = [appliedAttributes(before), appliedAttributes(after)];
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return Array.from(names, (name) => ({ name, before: one[name], after: other[name] })).filter(
    (change) => change.before !== change.after,
  );
}

/** Its text or caption; null for blocks without one, and for tables. */
export const runsOfBlock = (block: Block): readonly Run[] | null =>
  block.type === 'block' || block.type === 'image' ? block.runs : null;

/** All its text; '' if it has only attributes, as a formula does. */
export function textOfBlock(block: Block): string {
  if (block.type === 'table')
    return block.rows.map((row) => row.map(({ runs }) => textOfRuns(runs)).join('\t')).join('\n');
  return textOfRuns(runsOfBlock(block) ?? []);
}
