// A page's blocks for reading, without an editor. Renders the same elements and classes as `src/editor/schema/nodes.ts`.
import { type CSSProperties, memo, use, useMemo, useSyncExternalStore } from 'react';
import { type Block, type TextBlock, textOfRuns } from 'weft-document/blocks/block.ts';
import { type CalloutPlace, calloutPlaces } from 'weft-document/blocks/callout-bodies.ts';
import { foldedRows } from 'weft-document/blocks/toggle-body.ts';
import type { FreshText } from 'weft-document/body/fresh-text.ts';
import { languageName } from 'weft-document/code-languages.ts';
import { isSameList } from '../../lib/lists/is-same-list.ts';
import type { PageFiles } from '../../ports/files.ts';
import { CONTENT_TEXTS } from '../../texts/content-texts.ts';
import { MANY_BLOCKS } from '../../ui/blocks/drawing-limits.ts';
import { StaticUnsupportedBlock } from '../../ui/blocks/static-unsupported-block.tsx';
import { ErrorBoundary } from '../../ui/feedback/error-boundary.tsx';
import { type Folds, foldsOf } from '../blocks/stored-folds.ts';
import type { BlockHistory, ShownChanges, ShownHistory } from '../changes/shown-changes.ts';
import { TONE_NAMES } from '../schema/tone-names.ts';
import { isTooCostly, plainTextOf } from './block-cost.ts';
import { CopyButton, StaticCode } from './static-code.tsx';
import {
  BlockAside,
  BlockHistoryContext,
  CalloutContext,
  ChangesContext,
  GoneBlocks,
  useBlockAttributes,
  useTextMarks,
} from './static-marks.tsx';
import { StaticOther, StaticUnsupported } from './static-other.tsx';
import { Runs } from './static-runs.tsx';
import { type DrawnGroup, useSlices } from './use-slices.ts';
import '../../ui/blocks/blocks.css';

type StaticBodyProps = {
  readonly blocks: readonly Block[];
  /** The folds are stored under this key: the page's id, or one key for all pages that are opened by links. */
  readonly page: string;
  /** New text to underline for a moment, by block. */
  readonly fresh?: readonly FreshText[];
  /** The source of its pictures and files. */
  readonly files?: PageFiles | null;
  /** The changes since the reader's last visit. */
  readonly changes?: ShownChanges | null;
  /** The changes and authors, in a page's history. */
  readonly history?: ShownHistory | null;
};

export function StaticBody({
  blocks,
  page,
  fresh = [],
  files = null,
  changes = null,
  history = null,
}: StaticBodyProps) {
  const folds = foldsOf(page);
  const folded = useSyncExternalStore(folds.subscribe, folds.get);
  const hidden = useMemo(() => hiddenBlocks(blocks, folded), [blocks, folded]);
  const callouts = useMemo(() => blocksInCallouts(blocks), [blocks]);
  const freshByKey = new Map(fresh.map((one) => [one.key, one]));
  const { groups, isWhole } = useSlices(blocks);
  return (
    <ChangesContext value={changes}>
      <div className="page-body" data-long={blocks.length > MANY_BLOCKS ? '' : undefined} aria-busy={!isWhole}>
        {groups.map((group) => (
          <StaticGroup
            key={group.id}
            group={group}
            hidden={hidden}
            fresh={freshIn(group, freshByKey)}
            histories={historiesIn(group, history)}
            callouts={calloutsIn(group, callouts)}
            folded={folded}
            folds={folds}
            files={files}
          />
        ))}
      </div>
    </ChangesContext>
  );
}

const NO_BLOCKS: ReadonlySet<string> = new Set();

/** The keys of the blocks in folded toggles. */
function hiddenBlocks(blocks: readonly Block[], folded: ReadonlySet<string>): ReadonlySet<string> {
  const rows = foldedRows(blocks.map(rowOf), folded);
  return rows.size === 0 ? NO_BLOCKS : new Set(blocks.filter((_block, at) => rows.has(at)).map(({ key }) => key));
}

const rowOf = (block: Block) => ({
  id: block.id,
  isToggle: block.type === 'block' && block.kind === 'toggle',
  indent: block.type === 'block' ? block.indent : null,
});

/** The places of blocks in callouts that hold blocks, by their key. */
function blocksInCallouts(blocks: readonly Block[]): ReadonlyMap<string, CalloutPlace> {
  const places = calloutPlaces(
    blocks.map((block) =>
      block.type === 'block'
        ? { indent: block.indent, tone: block.kind === 'callout' ? block.tone : null }
        : { indent: null, tone: null },
    ),
  );
  return new Map(Array.from(places, ([at, place]) => [blocks[at]?.key ?? '', place] as const));
}

const calloutsIn = ({ blocks }: DrawnGroup, callouts: ReadonlyMap<string, CalloutPlace>) =>
  callouts.size === 0 ? [] : blocks.map(({ block }) => callouts.get(block.key) ?? null);

const NOTHING_FRESH: readonly FreshText[] = [];

function freshIn({ blocks }: DrawnGroup, fresh: ReadonlyMap<string, FreshText>): readonly FreshText[] {
  const found = fresh.size === 0 ? [] : blocks.flatMap(({ block }) => fresh.get(block.key) ?? []);
  return found.length === 0 ? NOTHING_FRESH : found;
}

const NO_HISTORIES: readonly (BlockHistory | null)[] = [];

const historiesIn = ({ blocks }: DrawnGroup, history: ShownHistory | null) =>
  history === null ? NO_HISTORIES : blocks.map(({ block }) => history.get(block.key) ?? null);

type StaticGroupProps = {
  readonly group: DrawnGroup;
  readonly hidden: ReadonlySet<string>;
  readonly fresh: readonly FreshText[];
  /** One for each block of the group; none outside of a page's history. */
  readonly histories: readonly (BlockHistory | null)[];
  /** One for each block of the group; none on a page without callouts that hold blocks. */
  readonly callouts: readonly (CalloutPlace | null)[];
  readonly folded: ReadonlySet<string>;
  readonly folds: Folds;
  readonly files: PageFiles | null;
};

const StaticGroup = memo(function StaticGroup(props: StaticGroupProps) {
  const { group, hidden, fresh, histories, callouts, folded, folds, files } = props;
  return group.blocks.map(({ block, parts }, at) => {
    if (hidden.has(block.key)) return null;
    const drawn = (
      <CalloutContext value={callouts[at] ?? null}>
        <StaticBlock
          block={block}
          parts={parts}
          fresh={fresh.find(({ key }) => key === block.key) ?? null}
          isFolded={block.id !== null && folded.has(block.id)}
          folds={folds}
          files={files}
        />
      </CalloutContext>
    );
    return (
      <ErrorBoundary key={block.key} resetKey={block} renderFailed={() => <FailedBlock block={block} />}>
        <GoneBlocks blockKey={block.key} isAfter={false} />
        {histories.length === 0 ? (
          drawn
        ) : (
          <BlockHistoryContext value={histories[at] ?? null}>{drawn}</BlockHistoryContext>
        )}
        <GoneBlocks blockKey={block.key} isAfter />
      </ErrorBoundary>
    );
  });
}, isSameGroup);

/** Reads nothing but the block: what stands beside it may be what failed. */
const FailedBlock = ({ block }: { readonly block: Block }) => (
  <div className="block" data-kind="unknown" data-key={block.key}>
    <StaticUnsupportedBlock note={CONTENT_TEXTS.blockFailed} text={plainTextOf(block)} onDelete={null} />
  </div>
);

/** The histories and callouts of a group are new lists each time. */
function isSameGroup(
  { histories: before, callouts: calloutsBefore, ...one }: StaticGroupProps,
  { histories, callouts, ...other }: StaticGroupProps,
): boolean {
  return (
    isSameList(before, histories) &&
    isSameList(calloutsBefore, callouts) &&
    one.group === other.group &&
    one.hidden === other.hidden &&
    one.fresh === other.fresh &&
    one.folded === other.folded &&
    one.folds === other.folds &&
    one.files === other.files
  );
}

type StaticBlockProps = {
  readonly block: Block;
  /** How many rows of a table are drawn. */
  readonly parts: number;
  readonly fresh: FreshText | null;
  readonly isFolded: boolean;
  readonly folds: Folds;
  readonly files: PageFiles | null;
};

const StaticBlock = memo(function StaticBlock({ block, parts, fresh, isFolded, folds, files }: StaticBlockProps) {
  const { style: inCallout, ...attributes } = useBlockAttributes(
    block.key,
    block.type === 'block' && block.kind === 'code',
  );
  if (isTooCostly(block))
    return <StaticUnsupported block={block} note={CONTENT_TEXTS.blockTooLarge} text={plainTextOf(block)} />;
  if (block.type !== 'block') return <StaticOther block={block} rowCount={parts} files={files} />;
  const { kind, level, indent, checked, tone, delimiter } = block;
  const start = kind === 'numbered' ? block.start : null;
  const style: CSSProperties & { '--indent': number; '--start'?: number } = {
    '--indent': indent,
    ...(start !== null && { '--start': start }),
    ...inCallout,
  };
  return (
    <div
      className="block"
      data-key={block.key}
      data-kind={kind}
      data-indent={indent}
      data-level={kind === 'heading' ? level : undefined}
      data-checked={kind === 'task' ? checked : undefined}
      data-folded={kind === 'toggle' && isFolded ? true : undefined}
      data-tone={kind === 'callout' ? tone : undefined}
      data-delimiter={kind === 'numbered' ? delimiter : undefined}
      data-start={start === null ? undefined : ''}
      dir={kind === 'code' ? 'ltr' : 'auto'}
      role={kind === 'callout' ? 'note' : undefined}
      style={style}
      {...attributes}
    >
      <Lead block={block} isFolded={isFolded} folds={folds} />
      <Text block={block} fresh={fresh} />
      <BlockAside />
    </div>
  );
});

type LeadProps = { readonly block: TextBlock; readonly isFolded: boolean; readonly folds: Folds };

function Lead({ block, isFolded, folds }: LeadProps) {
  switch (block.kind) {
    case 'bullet':
    case 'numbered':
      return <span className="block-lead" aria-hidden />;
    case 'toggle':
      return (
        <button
          type="button"
          className="block-lead"
          aria-label="Toggle"
          aria-expanded={!isFolded}
          onClick={() => folds.set(withToggled(folds.get(), block.id))}
        />
      );
    case 'callout':
      return <span className="block-lead" role="img" aria-label={TONE_NAMES[block.tone]} />;
    case 'task':
      return (
        <label className="block-check">
          <input type="checkbox" aria-label="Done" checked={block.checked} disabled />
        </label>
      );
    case 'code':
      return (
        <div className="block-head">
          <span className="code-language">{languageName(block.language)}</span>
          <CopyButton text={textOfRuns(block.runs)} />
        </div>
      );
    default:
      return null;
  }
}

function withToggled(folded: ReadonlySet<string>, id: string | null): ReadonlySet<string> {
  const next = new Set(folded);
  if (id !== null && !next.delete(id)) next.add(id);
  return next;
}

function Text({ block, fresh }: { readonly block: TextBlock; readonly fresh: FreshText | null }) {
  if (block.kind === 'code') return <Code block={block} fresh={fresh} />;
  const words = <Words block={block} fresh={fresh} />;
  const props = { className: 'block-text' } as const;
  switch (block.kind) {
    case 'heading':
      if (block.level === 1) return <h2 {...props}>{words}</h2>;
      return block.level === 2 ? <h3 {...props}>{words}</h3> : <h4 {...props}>{words}</h4>;
    case 'quote':
      return <blockquote {...props}>{words}</blockquote>;
    default:
      return <p {...props}>{words}</p>;
  }
}

const Words = ({ block, fresh }: { readonly block: TextBlock; readonly fresh: FreshText | null }) => (
  <Runs runs={block.runs} fresh={fresh} plain={false} marks={useTextMarks(block.key)} />
);

function Code({ block, fresh }: { readonly block: TextBlock; readonly fresh: FreshText | null }) {
  const marks = useTextMarks(block.key);
  const isInHistory = use(BlockHistoryContext) !== null;
  return (
    <pre className="block-text" translate="no">
      {isInHistory && marks.length > 0 ? (
        <Runs runs={block.runs} fresh={null} plain marks={marks} />
      ) : (
        <StaticCode block={block} fresh={fresh} />
      )}
    </pre>
  );
}
