// Code for reading: highlighted, with a copy button.
import { useState, useSyncExternalStore } from 'react';
import { type TextBlock, textOfRuns } from '../../document/blocks/block.ts';
import type { FreshText } from '../../document/body/fresh-text.ts';
import { copyText } from '../../ui/browser/copy-text.ts';
import { currentHighlighter, highlightedRanges, subscribeHighlighter } from '../code/highlighter-loader.ts';

type StaticCodeProps = { readonly block: TextBlock; readonly fresh: FreshText | null };
type TextRange = { readonly from: number; readonly to: number; readonly names: string };

export function StaticCode({ block, fresh }: StaticCodeProps) {
  // The function changes once the highlighter is loaded: the React Compiler caches the result of the same one.
  const highlighter = useSyncExternalStore(subscribeHighlighter, currentHighlighter);
  const text = textOfRuns(block.runs);
  return splitRanges(text, highlightedRanges(block.language, text, highlighter), fresh).map(({ from, to, names }) =>
    names === '' ? (
      text.slice(from, to)
    ) : (
      <span key={from} className={names}>
        {text.slice(from, to)}
      </span>
    ),
  );
}

/** The whole text, split wherever a color or the new text begins or ends. */
function splitRanges(text: string, colored: readonly TextRange[], fresh: FreshText | null): readonly TextRange[] {
  const all: TextRange[] = [];
  let at = 0;
  for (const one of [...colored, { from: text.length, to: text.length, names: '' }]) {
    if (one.from > at) all.push({ from: at, to: one.from, names: '' });
    if (one.to > one.from) all.push(one);
    at = one.to;
  }
  return fresh === null ? all : all.flatMap((one) => cut(one, fresh));
}

function cut({ from, to, names }: TextRange, fresh: FreshText): readonly TextRange[] {
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
  const [label, setLabel] = useState('Copy');
  const copy = async () => {
    setLabel((await copyText(text, null)) ? 'Copied' : 'Select it, then Ctrl C');
    setTimeout(() => setLabel('Copy'), COPIED_MS);
  };
  return (
    <button type="button" className="code-copy" onClick={() => void copy()}>
      {label}
    </button>
  );
}
