// A block's text for reading, with its marks; new text is underlined for a moment.
import { useLayoutEffect, useRef } from 'react';
import type { Run } from '../../document/blocks/block.ts';
import { type FormulaRun, MAX_FORMULAS_OF_TEXT, cutFormulas } from '../../document/blocks/inline-formulas.ts';
import type { FreshText } from '../../document/body/fresh-text.ts';
import { createInlineFormula } from '../math/inline-formula-element.ts';

type RunsProps = { readonly runs: readonly Run[]; readonly fresh: FreshText | null; readonly plain: boolean };

export function Runs({ runs, fresh, plain }: RunsProps) {
  const cut = drawnRuns(runs);
  const pieces = fresh === null ? cut.map((one) => ({ ...one, isFresh: false })) : cutRuns(cut, fresh);
  return pieces.map(({ run, tex, isFresh }, at) => {
    if (tex !== null && !plain) return <Marked key={at} run={run} text={<StaticFormula tex={tex} />} />;
    const text = isFresh ? <span className="fresh">{run.text}</span> : run.text;
    // Runs have no ids, so the key is their index.
    return plain ? <span key={at}>{text}</span> : <Marked key={at} run={run} text={text} />;
  });
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

type Piece = FormulaRun & { readonly isFresh: boolean };

function cutRuns(runs: readonly FormulaRun[], { from, to }: FreshText): readonly Piece[] {
  let start = 0;
  return runs.flatMap(({ run, tex }): readonly Piece[] => {
    if (tex !== null) {
      start += run.text.length;
      return [{ run, tex, isFresh: false }];
    }
    const cuts = [0, from - start, to - start, run.text.length].map((at) => Math.max(0, Math.min(at, run.text.length)));
    const pieces = cuts.slice(1).map((end, at) => ({
      run: { ...run, text: run.text.slice(cuts[at], end) },
      tex,
      isFresh: at === 1,
    }));
    start += run.text.length;
    return pieces.filter(({ run: piece }) => piece.text !== '');
  });
}
