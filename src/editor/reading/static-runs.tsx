// A block's text for reading, with its marks; new text is underlined for a moment.
import type { Run } from '../../document/blocks/block.ts';
import type { FreshText } from '../../document/body/fresh-text.ts';

type RunsProps = { readonly runs: readonly Run[]; readonly fresh: FreshText | null; readonly plain: boolean };

export function Runs({ runs, fresh, plain }: RunsProps) {
  const pieces = fresh === null ? runs.map((run) => ({ run, isFresh: false })) : cutRuns(runs, fresh);
  return pieces.map(({ run, isFresh }, at) => {
    const text = isFresh ? <span className="fresh">{run.text}</span> : run.text;
    // Runs have no ids, so the key is their index.
    return plain ? <span key={at}>{text}</span> : <Marked key={at} run={run} text={text} />;
  });
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
