// A page's blocks for reading: no editor, no write. The same elements and classes as in `nodes.ts`.
import { type CSSProperties, memo } from 'react';
import type { Block, Run, TextBlock } from '../document/block.ts';
import type { FreshText } from '../document/fresh-text.ts';
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
  if (block.type === 'divider') {
    return (
      <div className="block" data-kind="divider" data-key={block.key}>
        <hr className="block-rule" />
      </div>
    );
  }
  if (block.type === 'unknown') {
    return (
      <div className="block" data-kind="unknown" data-key={block.key}>
        <p className="block-unknown">Made with a newer version of Weft. Reload to see it.</p>
      </div>
    );
  }
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

type RunsProps = { readonly runs: readonly Run[]; readonly fresh: FreshText | null; readonly plain: boolean };

function Runs({ runs, fresh, plain }: RunsProps) {
  const pieces = fresh === null ? runs.map((run) => ({ run, isFresh: false })) : cutRuns(runs, fresh);
  return pieces.map(({ run, isFresh }, at) => {
    const text = isFresh ? <span className="fresh">{run.text}</span> : run.text;
    // Runs have no identity of their own: their place in the block is all there is.
    return plain ? <span key={at}>{text}</span> : <Marked key={at} run={run} text={text} />;
  });
}

function Marked({ run, text }: { readonly run: Run; readonly text: React.ReactNode }) {
  let words = text;
  if (run.code) words = <code>{words}</code>;
  if (run.strike) words = <s>{words}</s>;
  if (run.underline) words = <u>{words}</u>;
  if (run.italic) words = <em>{words}</em>;
  if (run.bold) words = <strong>{words}</strong>;
  if (run.link === null) return words;
  return (
    <a href={run.link} target="_blank" rel="noopener noreferrer nofollow">
      {words}
    </a>
  );
}

function cutRuns(runs: readonly Run[], { from, to }: FreshText): readonly { run: Run; isFresh: boolean }[] {
  let start = 0;
  return runs.flatMap((run) => {
    const cuts = [0, from - start, to - start, run.text.length].map((at) => Math.max(0, Math.min(at, run.text.length)));
    const pieces = cuts.slice(1).map((end, at) => ({
      run: { ...run, text: run.text.slice(cuts[at], end) },
      isFresh: at === 1,
    }));
    start += run.text.length;
    return pieces.filter(({ run: piece }) => piece.text !== '');
  });
}
