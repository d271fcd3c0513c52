// A page's blocks for reading: no editor, no write. The same elements and classes as in `nodes.ts`.
import { type CSSProperties, memo } from 'react';
import type { Block, TextBlock } from '../document/block.ts';
import type { FreshText } from '../document/fresh-text.ts';
import { Runs } from './static-runs.tsx';
import { StaticOther } from './static-other.tsx';
import '../ui/blocks.css';

type StaticBodyProps = {
  readonly blocks: readonly Block[];
  /** Words to underline for a moment, by block. */
  readonly fresh?: readonly FreshText[];
};

export function StaticBody({ blocks, fresh = [] }: StaticBodyProps) {
  const freshByKey = new Map(fresh.map((one) => [one.key, one]));
  return (
    <div className="page-body">
      {blocks.map((block) => (
        <StaticBlock key={block.key} block={block} fresh={freshByKey.get(block.key) ?? null} />
      ))}
    </div>
  );
}

type StaticBlockProps = { readonly block: Block; readonly fresh: FreshText | null };

const StaticBlock = memo(function StaticBlock({ block, fresh }: StaticBlockProps) {
  if (block.type !== 'block') return <StaticOther block={block} />;
  const { kind, level, indent, checked, tone } = block;
  const style: CSSProperties & { '--indent': number } = { '--indent': indent };
  return (
    <div
      className="block"
      data-key={block.key}
      data-kind={kind}
      data-indent={indent}
      data-level={kind === 'heading' ? level : undefined}
      data-checked={kind === 'task' ? checked : undefined}
      data-tone={kind === 'callout' ? tone : undefined}
      role={kind === 'callout' ? 'note' : undefined}
      style={style}
    >
      <Lead block={block} />
      <Text block={block} fresh={fresh} />
    </div>
  );
});

function Lead({ block }: { readonly block: TextBlock }) {
  switch (block.kind) {
    case 'bullet':
    case 'numbered':
    case 'toggle':
    case 'callout':
      return <span className="block-lead" aria-hidden />;
    case 'task':
      return (
        <label className="block-check">
          <input type="checkbox" aria-label="Done" checked={block.checked} disabled readOnly />
        </label>
      );
    case 'code':
      return <div className="block-head">{block.language ?? 'Plain text'}</div>;
    default:
      return null;
  }
}

function Text({ block, fresh }: { readonly block: TextBlock; readonly fresh: FreshText | null }) {
  const words = <Runs runs={block.runs} fresh={fresh} plain={block.kind === 'code'} />;
  const props = { className: 'block-text', dir: 'auto' } as const;
  switch (block.kind) {
    case 'heading':
      if (block.level === 1) return <h2 {...props}>{words}</h2>;
      return block.level === 2 ? <h3 {...props}>{words}</h3> : <h4 {...props}>{words}</h4>;
    case 'quote':
      return <blockquote {...props}>{words}</blockquote>;
    case 'code':
      return (
        <pre className="block-text" dir="ltr">
          <code>{words}</code>
        </pre>
      );
    default:
      return <p {...props}>{words}</p>;
  }
}
