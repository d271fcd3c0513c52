// Collects the text of a pasted document until the next block begins, and adjusts what can only be decided for the
// whole block.
import { type Marks, PLAIN, type Run, type Style, parseStyle, textOfRuns } from 'weft-document/blocks/block.ts';
import { type DetachedTextBlock, joinRuns, trimRuns } from 'weft-document/blocks/detached-block.ts';
import { NO_NUMBERS, numbersAfter, withoutNeedlessStart } from 'weft-document/blocks/list-numbers.ts';
import type { HtmlReadOptions, PastedBlock } from './pasted-block.ts';

const PARAGRAPH: Style = parseStyle({});
/** Notion's callouts begin with one. */
const ICON = /^\s*(?:💡|📌|ℹ️|📝|⚠️|❗|🚨|⛔)\s*/u;

export function createBlockWriter(blocks: PastedBlock[], reading: HtmlReadOptions) {
  let runs: Run[] = [];
  let style = PARAGRAPH;
  let keepsEmpty = false;
  let verbatim = false;
  const taken = new Set<Element>();
  let numbers = NO_NUMBERS;
  const push = (block: PastedBlock) => {
    numbers = numbersAfter(block, numbers);
    blocks.push(block);
  };
  const end = () => {
    const words = verbatim ? runs : style.kind === 'code' ? trimCode(runs) : trimSpaces(runs);
    const block = { type: 'block', ...style, runs: joinRuns(words) } as const;
    if (words.length > 0 || keepsEmpty) push(verbatim ? block : withoutNeedlessStart(adjust(block), numbers));
    runs = [];
    verbatim = false;
  };
  return {
    /** `keepEmpty` keeps the block even without text. */
    begin(next: Style, keepEmpty = false) {
      end();
      style = next;
      keepsEmpty = keepEmpty;
    },
    /** Begins a block copied from Weft: its text is taken exactly. */
    beginVerbatim({ kind, level, indent, checked, language, tone, start, delimiter }: Style) {
      end();
      style = { kind, level, indent, checked, language, tone, start, delimiter };
      keepsEmpty = true;
      verbatim = true;
    },
    isVerbatim: () => verbatim,
    add(text: string, marks: Marks) {
      if (text !== '') runs.push({ text, ...marks });
    },
    /** True if the block that began with this style object is open and has no text yet, beside a callout's icon. */
    isEmptyIn: (begun: Style): boolean =>
      style === begun &&
      (begun.kind === 'callout' ? textOfRuns(runs).replace(ICON, '') : textOfRuns(runs)).trim() === '',
    /** True if the block that began with this style object is open. */
    isIn: (begun: Style): boolean => style === begun,
    reading,
    /** The element's text is used as a caption and becomes no block of its own. */
    take: (element: Element) => void taken.add(element),
    isTaken: (element: Element): boolean => taken.has(element),
    /** Adds a finished block. Call `begin` before. */
    put: push,
  };
}
export type BlockWriter = ReturnType<typeof createBlockWriter>;

/** Notion copies tasks as `[ ] text` in a bullet and formulas as `$$…$$` in a paragraph. */
function adjust(block: DetachedTextBlock): PastedBlock {
  const { kind, runs } = block;
  const text = textOfRuns(runs);
  // Word writes headings bold; a heading is bold anyway.
  if (kind === 'heading' && runs.every(({ bold }) => bold)) {
    return { ...block, runs: joinRuns(runs.map((run) => ({ ...run, bold: false }))) };
  }
  const box = kind === 'bullet' ? /^\[([ xX])\]\s+/.exec(text) : null;
  if (box !== null) return { ...block, kind: 'task', checked: box[1] !== ' ', runs: cutStart(runs, box[0].length) };
  const tex = kind === 'paragraph' ? /^\$\$([^$]+)\$\$$/.exec(text)?.[1] : undefined;
  if (tex !== undefined) return { type: 'math', tex: tex.trim() };
  const icon = kind === 'callout' ? ICON.exec(text) : null;
  return icon === null ? block : { ...block, runs: cutStart(runs, icon[0].length) };
}

function cutStart(runs: readonly Run[], length: number): readonly Run[] {
  let left = length;
  return trimRuns(
    runs.flatMap((run) => {
      const cut = Math.min(left, run.text.length);
      left -= cut;
      return cut === run.text.length ? [] : [{ ...run, text: run.text.slice(cut) }];
    }),
  );
}

/** Spaces at line ends are layout of the HTML, not text; those in a code span are text. */
function trimSpaces(runs: readonly Run[]): Run[] {
  const out: Run[] = [];
  for (const run of runs) {
    if (run.code) {
      out.push(run);
      continue;
    }
    const before = out.at(-1);
    const startsLine = before === undefined || /[ \n]$/.test(before.text);
    const text = run.text.replace(/ *\n */g, '\n').replace(startsLine ? /^ +/ : /^$/, '');
    if (text !== '') out.push({ ...run, text });
  }
  for (let last = out.at(-1); last?.code === false; last = out.at(-1)) {
    const text = last.text.replace(/[ \n]+$/, '');
    if (text === last.text) break;
    out.pop();
    if (text !== '') out.push({ ...last, text });
  }
  const start = out.findIndex((run) => run.code || run.text.trim() !== '');
  const first = out[start];
  if (first === undefined) return [];
  if (first.code) return out.slice(start);
  return [{ ...first, text: first.text.replace(/^[ \n]+/, '') }, ...out.slice(start + 1)];
}

function trimCode(runs: readonly Run[]): Run[] {
  const text = textOfRuns(runs).replace(/^\n|\n+$/g, '');
  return text === '' ? [] : [{ text, ...PLAIN }];
}
