// Code for reading, highlighted, and the button that copies it.
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { type TextBlock, textOfRuns } from 'weft-document/blocks/block.ts';
import type { FreshText } from 'weft-document/body/fresh-text.ts';
import { Allowance } from '../../lib/async/allowance.ts';
import type { Cancel } from '../../lib/cancel.ts';
import { MAX_COLORED_RANGES_OF_PAGE } from '../../ui/blocks/drawing-limits.ts';
import { copyText } from '../../ui/browser/copy-text.ts';
import { NO_COLORS, shiftColors, watchColors } from '../code/code-colors.ts';
import type { ColoredRange } from '../code/colored-range.ts';

type StaticCodeProps = { readonly block: TextBlock; readonly fresh: FreshText | null };

/** All code blocks share it. A block that would need more than is left has no colors. */
const allowance = new Allowance(MAX_COLORED_RANGES_OF_PAGE);

type Shown = { readonly text: string; readonly ranges: readonly ColoredRange[] };
const NOTHING_SHOWN: Shown = { text: '', ranges: NO_COLORS };

export function StaticCode({ block, fresh }: StaticCodeProps) {
  const [shown, setShown] = useState(NOTHING_SHOWN);
  const { language } = block;
  const text = textOfRuns(block.runs);
  useEffect(() => {
    let giveBack: Cancel | null = null;
    const cancel = watchColors(language, text, (ranges) => {
      giveBack = allowance.take(ranges.length);
      setShown({ text, ranges: giveBack === null ? NO_COLORS : ranges });
    });
    return () => {
      cancel();
      giveBack?.();
    };
  }, [language, text]);
  // The last colors stay until the new ones arrive.
  const ranges = shown.text === text ? shown.ranges : shiftColors(shown.ranges, shown.text, text);
  const host = useRef<HTMLElement>(null);
  // Not by React: with thousands of elements it takes ten times as long.
  useLayoutEffect(() => host.current?.replaceChildren(...splitRanges(text, ranges, fresh).map(partOf(text))));
  return <code ref={host} />;
}

const partOf =
  (text: string) =>
  ({ from, to, names }: ColoredRange): Node | string => {
    const words = text.slice(from, to);
    if (names === '') return words;
    const span = document.createElement('span');
    span.className = names;
    span.textContent = words;
    return span;
  };

/** The whole text, split wherever a color or the new text begins or ends. */
function splitRanges(text: string, colored: readonly ColoredRange[], fresh: FreshText | null): readonly ColoredRange[] {
  const all: ColoredRange[] = [];
  let at = 0;
  for (const one of [...colored, { from: text.length, to: text.length, names: '' }]) {
    if (one.from > at) all.push({ from: at, to: one.from, names: '' });
    if (one.to > one.from) all.push(one);
    at = one.to;
  }
  return fresh === null ? all : all.flatMap((one) => cut(one, fresh));
}

function cut({ from, to, names }: ColoredRange, fresh: FreshText): readonly ColoredRange[] {
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
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const copy = async () => {
    setLabel((await copyText(text, null)) ? 'Copied' : 'Select it to copy');
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setLabel('Copy'), COPIED_MS);
  };
  return (
    <button type="button" className="code-copy" onClick={() => void copy()}>
      {label}
    </button>
  );
}
