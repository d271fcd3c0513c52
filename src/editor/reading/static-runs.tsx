// A block's text for reading, with its marks; new text is underlined for a moment.
import { Fragment, useLayoutEffect, useRef } from 'react';
import type { Run } from 'weft-document/blocks/block.ts';
import { type FormulaRun, MAX_FORMULAS_OF_TEXT, cutFormulas } from 'weft-document/blocks/inline-formulas.ts';
import type { FreshText } from 'weft-document/body/fresh-text.ts';
import type { HistoryMark } from '../changes/shown-changes.ts';
import { createInlineFormula } from '../math/inline-formula-element.ts';
import { ChangedWords, GoneTag, type TextMark } from './static-marks.tsx';

type RunsProps = {
  readonly runs: readonly Run[];
  readonly fresh: FreshText | null;
  /** Without formatting, as in code. */
  readonly plain: boolean;
  /** The changes since the reader's last visit, or those of a page's history. */
  readonly marks?: readonly HistoryMark[];
};

const NO_MARKS: readonly HistoryMark[] = [];

export function Runs({ runs, fresh, plain, marks = NO_MARKS }: RunsProps) {
  const cut = drawnRuns(runs);
  if (fresh === null && marks.length === 0) {
    // Runs have no ids, so the key is their index.
    return cut.map(({ run, tex }, at) => <Piece key={at} run={run} tex={tex} isFresh={false} plain={plain} />);
  }
  const { pieces, rest } = cutRuns(cut, fresh, marks);
  return (
    <>
      {pieces.map(({ mark: changed, gone, ...piece }, at) => (
        <Fragment key={at}>
          {gone.map((mark) => (
            <GoneTag key={mark.step} mark={mark} />
          ))}
          {changed === null ? (
            <Piece {...piece} plain={plain} />
          ) : (
            <ChangedWords mark={changed}>
              <Piece {...piece} plain={plain} />
            </ChangedWords>
          )}
        </Fragment>
      ))}
      {rest.map((mark) => (
        <GoneTag key={mark.step} mark={mark} />
      ))}
    </>
  );
}

type PieceProps = FormulaRun & { readonly isFresh: boolean; readonly plain: boolean };

function Piece({ run, tex, isFresh, plain }: PieceProps) {
  if (tex !== null && !plain) return <Marked run={run} text={<StaticFormula tex={tex} />} />;
  const text = isFresh ? <span className="fresh">{run.text}</span> : run.text;
  return plain ? <span>{text}</span> : <Marked run={run} text={text} />;
}

/** Formulas above the limit are shown as their source. */
function drawnRuns(runs: readonly Run[]): readonly FormulaRun[] {
  let left = MAX_FORMULAS_OF_TEXT;
  return cutFormulas(runs).map((one) => (one.tex === null || left-- > 0 ? one : { ...one, tex: null }));
}

function StaticFormula({ tex }: { readonly tex: string }) {
  const host = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    const { dom, destroy } = createInlineFormula(tex, null);
    host.current?.replaceChildren(dom);
    return destroy;
  }, [tex]);
  return <span ref={host} />;
}

function Marked({ run, text }: { readonly run: Run; readonly text: React.ReactNode }) {
  let words = text;
  if (run.mention !== null) words = <span className="mention">{words}</span>;
  if (run.date !== null) words = <time dateTime={run.date}>{words}</time>;
  if (run.code) words = <code>{words}</code>;
  if (run.strike) words = <s>{words}</s>;
  if (run.underline) words = <u>{words}</u>;
  if (run.italic) words = <em>{words}</em>;
  if (run.bold) words = <strong>{words}</strong>;
  if (run.highlight) words = <mark>{words}</mark>;
  if (run.link === null) return words;
  return (
    <a href={run.link} target="_blank" rel="noopener noreferrer nofollow">
      {words}
    </a>
  );
}

type CutPiece = FormulaRun & {
  readonly isFresh: boolean;
  /** The change it belongs to. */
  readonly mark: TextMark | null;
  /** The tags that stand before it. */
  readonly gone: readonly GoneMark[];
};

type GoneMark = Extract<HistoryMark, { readonly type: 'gone' }>;

/** Cuts the runs wherever new text, a change or a removal begins or ends, but no drawn formula. */
function cutRuns(
  runs: readonly FormulaRun[],
  fresh: FreshText | null,
  marks: readonly HistoryMark[],
): { readonly pieces: readonly CutPiece[]; readonly rest: readonly GoneMark[] } {
  const changed = marks.filter((mark) => mark.type === 'text').toSorted((a, b) => a.from - b.from);
  const gone = marks.filter((mark) => mark.type === 'gone').toSorted((a, b) => a.at - b.at);
  const borders = [
    ...(fresh === null ? [] : [fresh.from, fresh.to]),
    ...changed.flatMap(({ from, to }) => [from, to]),
    ...gone.map(({ at }) => at),
  ].sort((a, b) => a - b);
  const pieces: CutPiece[] = [];
  let start = 0;
  // Everything is in order, so one walk is enough: a text can have thousands of authors.
  let [nextBorder, nextMark, nextGone] = [0, 0, 0];
  const goneUntil = (at: number): readonly GoneMark[] => {
    const from = nextGone;
    while (nextGone < gone.length && (gone[nextGone]?.at ?? 0) <= at) nextGone += 1;
    return gone.slice(from, nextGone);
  };
  const markAt = (at: number): TextMark | null => {
    while (nextMark < changed.length && (changed[nextMark]?.to ?? 0) <= at) nextMark += 1;
    const mark = changed[nextMark];
    return mark !== undefined && mark.from <= at ? mark : null;
  };
  const cutsUntil = (end: number): readonly number[] => {
    const cuts: number[] = [];
    for (; nextBorder < borders.length && (borders[nextBorder] ?? 0) < end; nextBorder++)
      cuts.push(borders[nextBorder] ?? 0);
    return cuts;
  };
  for (const { run, tex } of runs) {
    const end = start + run.text.length;
    const within = cutsUntil(end);
    const cuts = tex === null ? within : [];
    let from = start;
    for (const to of [...cuts, end]) {
      if (to <= from) continue;
      pieces.push({
        run: { ...run, text: run.text.slice(from - start, to - start) },
        tex,
        isFresh: tex === null && fresh !== null && from >= fresh.from && from < fresh.to,
        mark: markAt(from),
        gone: goneUntil(from),
      });
      from = to;
    }
    start = end;
  }
  return { pieces, rest: gone.slice(nextGone) };
}
