// A page as a list of plain texts, a part of it at a time, so that every page can be read: without pictures, formulas,
// colors or formatting.
import { useId, useState } from 'react';
import type { KINDS } from 'weft-document/blocks/block.ts';
import type { PlainBlock, PlainBody } from 'weft-document/body/plain-body.ts';
import { BLOCK, EMBED } from 'weft-document/names.ts';
import { UNSUPPORTED_TEXT_CHARACTERS } from '../../ui/blocks/drawing-limits.ts';
import { Button } from '../../ui/controls/button.tsx';
import './plain-list.css';

/** Blocks on one part of the list: 20 ms of layout with the longest texts. */
const BLOCKS_PER_PART = 50;
/** Characters of a block that are shown at first; "Show more" adds more. */
const FIRST_CHARACTERS = 600;

type PlainListProps = {
  readonly body: PlainBody;
  /** The part that is shown, counted from 0. */
  readonly part: number;
  readonly onPart: (part: number) => void;
  /** Null for people who only read. */
  readonly actions: PlainActions | null;
};

export type PlainActions = {
  readonly chosen: ReadonlySet<string>;
  /** With `extending` also everything between this block and the last choice. */
  readonly onChoose: (key: string, extending: boolean) => void;
  readonly onDelete: (key: string) => void;
  readonly isBusy: boolean;
};

export function PlainList({ body, part, onPart, actions }: PlainListProps) {
  /** How often "Show more" was pressed, by block. */
  const [more, setMore] = useState<ReadonlyMap<string, number>>(new Map());
  const parts = partCount(body);
  const from = Math.min(part, parts - 1) * BLOCKS_PER_PART;
  const blocks = body.blocks(
    from,
    from + BLOCKS_PER_PART,
    (key) => FIRST_CHARACTERS + (more.get(key) ?? 0) * UNSUPPORTED_TEXT_CHARACTERS,
  );
  return (
    <>
      <ol className="plain-list" start={from + 1}>
        {blocks.map((block, at) => (
          <PlainRow
            key={block.key}
            block={block}
            number={from + at + 1}
            actions={actions}
            onMore={() => setMore(new Map(more).set(block.key, (more.get(block.key) ?? 0) + 1))}
          />
        ))}
      </ol>
      {parts > 1 && <Pager part={Math.min(part, parts - 1)} parts={parts} onPart={onPart} />}
    </>
  );
}

type PlainRowProps = {
  readonly block: PlainBlock;
  /** Counted from 1. */
  readonly number: number;
  readonly actions: PlainActions | null;
  readonly onMore: () => void;
};

function PlainRow({ block, number, actions, onMore }: PlainRowProps) {
  const { key, text, hasMore } = block;
  return (
    <li className="plain-row">
      {actions !== null && (
        <label className="plain-choose">
          <input
            type="checkbox"
            aria-label={`Choose block ${number}`}
            checked={actions.chosen.has(key)}
            // The change event does not tell whether Shift was held.
            onChange={() => undefined}
            onClick={({ shiftKey }) => actions.onChoose(key, shiftKey)}
          />
        </label>
      )}
      <div className="plain-block">
        <p className="plain-name">
          <span className="plain-number">{number.toLocaleString('en')}</span> {nameOf(block)}
        </p>
        {text === '' ? (
          <p className="plain-empty">{hasMore ? 'Text further on' : 'No text'}</p>
        ) : (
          <p className="plain-text" dir="auto">
            {text}
            {hasMore && ' …'}
          </p>
        )}
        {hasMore && (
          <Button look="plain" size="small" aria-label={`Show more of block ${number}`} onClick={onMore}>
            Show more
          </Button>
        )}
      </div>
      {actions !== null && (
        <Button
          look="plain-danger"
          size="small"
          aria-label={`Delete block ${number}`}
          disabled={actions.isBusy}
          onClick={({ currentTarget }) => {
            keepFocusNear(currentTarget);
            actions.onDelete(key);
          }}
        >
          Delete
        </Button>
      )}
    </li>
  );
}

/** The button goes with its block: the focus moves to the next or previous row, so that the keyboard stays at its place. */
function keepFocusNear(button: Element): void {
  const row = button.closest('li');
  const neighbour = row?.nextElementSibling ?? row?.previousElementSibling;
  neighbour?.querySelector<HTMLElement>('input')?.focus({ preventScroll: true });
}

export const partCount = ({ count }: PlainBody): number => Math.max(1, Math.ceil(count / BLOCKS_PER_PART));

type PagerProps = { readonly part: number; readonly parts: number; readonly onPart: (part: number) => void };

function Pager({ part, parts, onPart }: PagerProps) {
  const id = useId();
  return (
    <nav className="plain-pager" aria-label="Parts of the page">
      <Button disabled={part === 0} onClick={() => onPart(part - 1)}>
        Previous
      </Button>
      <label htmlFor={id}>Part</label>
      <input
        id={id}
        className="input"
        type="number"
        inputMode="numeric"
        min={1}
        max={parts}
        value={part + 1}
        onChange={({ target }) => {
          const to = target.valueAsNumber;
          if (to >= 1 && to <= parts) onPart(Math.floor(to) - 1);
        }}
      />
      <span>of {parts.toLocaleString('en')}</span>
      <Button disabled={part >= parts - 1} onClick={() => onPart(part + 1)}>
        Next
      </Button>
    </nav>
  );
}

const KIND_NAMES: Readonly<Record<(typeof KINDS)[number], string>> = {
  paragraph: 'Text',
  heading: 'Heading',
  bullet: 'Bullet',
  numbered: 'Numbered',
  task: 'Task',
  quote: 'Quote',
  callout: 'Callout',
  code: 'Code',
  toggle: 'Toggle',
};
const NODE_NAMES: ReadonlyMap<string, string> = new Map([
  ...Object.entries(KIND_NAMES),
  // A block without a kind.
  [BLOCK, KIND_NAMES.paragraph],
  ['divider', 'Divider'],
  ['image', 'Picture'],
  ['file', 'File'],
  ['table', 'Table'],
  ['math', 'Formula'],
  [EMBED, 'Link card'],
  ['subpages', 'Subpages'],
]);

const nameOf = ({ name }: PlainBlock): string =>
  name === null ? 'Text outside of any block' : (NODE_NAMES.get(name) ?? 'Unknown block');
