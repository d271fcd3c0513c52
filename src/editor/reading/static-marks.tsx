// Draws what changed since a visit into a page that is read: underlined words, tags for what is gone, times at the margin. In
// a page's history it draws who added and removed what instead.
import { type CSSProperties, type ReactNode, createContext, use, useState } from 'react';
import type { CalloutPlace } from 'weft-document/blocks/callout-bodies.ts';
import { OWN_TEXT } from 'weft-document/changes/text-part.ts';
import { goneLabel } from '../changes/gone-text.ts';
import type { BlockHistory, BlockLook, HistoryMark, ShownChanges, TextLook } from '../changes/shown-changes.ts';

/** Null where nothing is marked. */
export const ChangesContext = createContext<ShownChanges | null>(null);

/** The history of the block around; null outside of a page's history. */
export const BlockHistoryContext = createContext<BlockHistory | null>(null);

/** Draws what stands beside a block of a page's history. */
export const AsideContext = createContext<((history: BlockHistory) => ReactNode) | null>(null);

const NONE: readonly HistoryMark[] = [];

/** The marks on one text of a block. */
export function useTextMarks(key: string, part: string = OWN_TEXT): readonly HistoryMark[] {
  const history = use(BlockHistoryContext);
  const shown = use(ChangesContext)?.marks.get(key);
  const marks = history?.marks ?? shown;
  if (marks === undefined) return NONE;
  const found = marks.filter((mark) => 'part' in mark && mark.part === part);
  return found.length === 0 ? NONE : found;
}

type BlockAttributes = {
  readonly 'data-when'?: string;
  readonly 'data-step'?: number;
  readonly 'data-current'?: '';
  readonly 'data-sign'?: BlockLook['sign'];
  readonly 'data-dye'?: string;
  readonly 'data-picked'?: '';
};

/** The block's place in a callout that holds blocks. */
export const CalloutContext = createContext<CalloutPlace | null>(null);

/**
 * For the element of a block: its place in a callout; its step if it changed as a whole, and when it changed, by whom.
 * With `isOpaque` nothing inside of it is marked.
 */
export function useBlockAttributes(key: string, isOpaque = false): BlockAttributes & CalloutAttributes {
  const callout = use(CalloutContext);
  const changes = useChangeAttributes(key, isOpaque);
  if (callout === null) return changes;
  const { tone, indent, part } = callout;
  return { ...changes, 'data-callout': tone, 'data-callout-part': part, style: { '--callout': indent } };
}

type CalloutAttributes = {
  readonly 'data-callout'?: string;
  readonly 'data-callout-part'?: string;
  readonly style?: CSSProperties & { readonly '--callout': number };
};

function useChangeAttributes(key: string, isOpaque: boolean): BlockAttributes {
  const history = use(BlockHistoryContext);
  const changes = use(ChangesContext);
  if (history !== null) return historyAttributes(history);
  const marks = changes?.marks.get(key);
  if (marks === undefined || marks.length === 0) return {};
  const label = changes?.labels.get(key);
  const step = marks.find(({ type }) => isOpaque || type === 'block')?.step;
  return {
    ...(label !== undefined && { 'data-when': label }),
    ...(step !== undefined && { 'data-step': step }),
    ...(step !== undefined && step === changes?.current && { 'data-current': '' as const }),
  };
}

const historyAttributes = ({ look, isPicked }: BlockHistory): BlockAttributes => ({
  ...(look !== null && { 'data-sign': look.sign, ...(look.dye !== null && { 'data-dye': look.dye }) }),
  ...(isPicked && { 'data-picked': '' as const }),
});

/** In a page's history: who changed or wrote the block, and what can be done with it. */
export function BlockAside() {
  const history = use(BlockHistoryContext);
  const drawAside = use(AsideContext);
  return history === null || drawAside === null ? null : drawAside(history);
}

function useIsCurrent(step: number): boolean {
  const history = use(BlockHistoryContext);
  const changes = use(ChangesContext);
  return (history ?? changes)?.current === step;
}

export type TextMark = Extract<HistoryMark, { readonly type: 'text' }>;

export function ChangedWords({ mark, children }: { readonly mark: TextMark; readonly children: React.ReactNode }) {
  const isCurrent = useIsCurrent(mark.step);
  const { look } = mark;
  if (look === undefined) {
    return (
      <span className="since" data-step={mark.step} data-current={isCurrent ? '' : undefined}>
        {children}
      </span>
    );
  }
  const Element = ELEMENTS[look.kind];
  return (
    <Element className={look.kind} {...lookAttributes(look, mark.step, isCurrent)}>
      {children}
    </Element>
  );
}

const ELEMENTS = { added: 'ins', removed: 'del', formatted: 'span', written: 'span' } as const;

const lookAttributes = ({ kind, dye, says }: TextLook, step: number, isCurrent: boolean) => ({
  title: says,
  'data-dye': dye ?? undefined,
  ...(kind !== 'written' && { 'data-step': step, 'data-current': isCurrent ? ('' as const) : undefined }),
});

type Gone = Extract<HistoryMark, { readonly type: 'gone' | 'goneBlocks' }>;

export function GoneTag({ mark }: { readonly mark: Gone }) {
  const [isOpen, setOpen] = useState(false);
  const isCurrent = useIsCurrent(mark.step);
  const { look } = mark;
  if (look !== undefined) {
    return (
      <del className="removed" dir="auto" {...lookAttributes(look, mark.step, isCurrent)}>
        {mark.text}
      </del>
    );
  }
  return (
    <>
      <button
        type="button"
        className="gone"
        data-step={mark.step}
        data-current={isCurrent ? '' : undefined}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {goneLabel(mark)}
      </button>
      {isOpen && (
        <del className="gone-text" dir="auto">
          {mark.text}
        </del>
      )}
    </>
  );
}

/** The blocks that were removed before or after a block. */
export function GoneBlocks({ blockKey, isAfter }: { readonly blockKey: string; readonly isAfter: boolean }) {
  const marks = use(ChangesContext)?.marks.get(blockKey) ?? NONE;
  return marks.map((mark) =>
    mark.type === 'goneBlocks' && mark.isAfter === isAfter ? (
      <div key={mark.step} className="gone-blocks">
        <GoneTag mark={mark} />
      </div>
    ) : null,
  );
}
