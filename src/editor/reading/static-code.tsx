// Code for reading: its words in the colours of its language, and a button that copies them.
import { useState, useSyncExternalStore } from 'react';
import { type TextBlock, textOfRuns } from '../../document/blocks/block.ts';
import type { FreshText } from '../../document/body/fresh-text.ts';
import { copyText } from '../../ui/browser/copy-text.ts';
import { currentHighlighter, highlightedRanges, subscribeHighlighter } from '../code/highlighter-loader.ts';

type StaticCodeProps = { readonly block: TextBlock; readonly fresh: FreshText | null };
type Stretch = { readonly from: number; readonly to: number; readonly names: string };

export function StaticCode({ block, fresh }: StaticCodeProps) {
  // By a function that is another one once the colours are there: the React Compiler keeps what the same one once gave.
  const by = useSyncExternalStore(subscribeHighlighter, currentHighlighter);
  const text = textOfRuns(block.runs);
  return stretchesOf(text, highlightedRanges(block.language, text, by), fresh).map(({ from, to, names }) =>
    names === '' ? (
      text.slice(from, to)
    ) : (
      <span key={from} className={names}>
        {text.slice(from, to)}
      </span>
    ),
  );
}

/** The whole text, cut wherever a colour or the new words begin or end. */
function stretchesOf(text: string, colored: readonly Stretch[], fresh: FreshText | null): readonly Stretch[] {
  const all: Stretch[] = [];
  let at = 0;
  for (const one of [...colored, { from: text.length, to: text.length, names: '' }]) {
    if (one.from > at) all.push({ from: at, to: one.from, names: '' });
    if (one.to > one.from) all.push(one);
    at = one.to;
  }
  return fresh === null ? all : all.flatMap((one) => cut(one, fresh));
}

function cut({ from, to, names }: Stretch, fresh: FreshText): readonly Stretch[] {
  const [start, end] = [Math.max(from, Math.min(fresh.from, to)), Math.max(from, Math.min(fresh.to, to))];
  const pieces = [
    { from, to: start, names },
    { from: start, to: end, names: `${names} fresh`.trim() },
    { from: end, to, names },
  ];
  return pieces.filter((piece) => piece.to > piece.from);
}

const COPIED_MS = 1500;

export function CopyButton({ text }: { readonly text: string }) {
  const [says, setSays] = useState('Copy');
  const copy = async () => {
    setSays((await copyText(text, null)) ? 'Copied' : 'Select it, then Ctrl C');
    setTimeout(() => setSays('Copy'), COPIED_MS);
  };
  return (
    <button type="button" className="code-copy" onClick={() => void copy()}>
      {says}
    </button>
  );
}
