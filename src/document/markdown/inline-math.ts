// Formulas between single dollar signs, as Pandoc reads them: no blank behind the first sign and before the last one, and no
// digit behind the last one, so that "$5 and $6" stays text. (The parser's own rule takes any two signs.)
import type { Text } from 'mdast';
import type { Extension as FromMarkdown } from 'mdast-util-from-markdown';
import type { InlineMath } from 'mdast-util-math';
import type { Options as ToMarkdown } from 'mdast-util-to-markdown';
import type { math } from 'micromark-extension-math';

declare module 'mdast' {
  interface TextData {
    /** Its dollar sign is the only one in the block, so it can neither begin nor end a formula. */
    isOnlySign?: boolean;
  }
}
declare module 'mdast-util-math' {
  interface InlineMathData {
    /** It stands between single signs. */
    isInLine?: boolean;
  }
}

type Extension = ReturnType<typeof math>;
type Construct = Exclude<NonNullable<NonNullable<Extension['text']>[string]>, readonly unknown[]>;
type Tokenizer = Construct['tokenize'];
type State = ReturnType<Tokenizer>;
type Code = Parameters<State>[0];

const [DOLLAR, BACKSLASH, ZERO, NINE] = [0x24, 0x5c, 0x30, 0x39];

/** micromark has line ends, tabs and the like as negative numbers. */
const isLineEnd = (code: Code): boolean => code !== null && code < -2;
const isBlank = (code: Code): boolean => code === null || code < 0 || code === 0x20;
const isDigit = (code: Code): boolean => code !== null && code >= ZERO && code <= NINE;

/** Reads to the next sign at most, so a text of nothing but signs takes no longer than another. */
const tokenize: Tokenizer = (effects, ok, nok) => {
  let before: Code = null;
  const sign = (code: Code, next: State): State => {
    effects.enter('mathTextSequence');
    effects.consume(code);
    effects.exit('mathTextSequence');
    return next;
  };
  const start: State = (code) => {
    effects.enter('mathText');
    return sign(code, first);
  };
  const first: State = (code) => (isBlank(code) || code === DOLLAR ? nok(code) : between(code));
  const between: State = (code) => {
    if (code === null) return nok(code);
    if (code === DOLLAR) return isBlank(before) ? nok(code) : sign(code, end);
    if (isLineEnd(code)) {
      effects.enter('lineEnding');
      effects.consume(code);
      effects.exit('lineEnding');
      before = code;
      return between;
    }
    effects.enter('mathTextData');
    return data(code);
  };
  const data: State = (code) => {
    if (code === null || code === DOLLAR || isLineEnd(code)) {
      effects.exit('mathTextData');
      return between(code);
    }
    effects.consume(code);
    before = code;
    return code === BACKSLASH ? escaped : data;
  };
  const escaped: State = (code) => {
    if (code === null || isLineEnd(code)) return data(code);
    effects.consume(code);
    before = code;
    return data;
  };
  const end: State = (code) => {
    if (isDigit(code) || code === DOLLAR) return nok(code);
    effects.exit('mathText');
    return ok(code);
  };
  return start;
};

/** For micromark, after its rule for `$$`: the last one that is given is tried first. */
export const inlineMath: Extension = {
  text: {
    [DOLLAR]: {
      name: 'inlineFormula',
      tokenize,
      previous(code) {
        return code !== DOLLAR || this.events.at(-1)?.[1].type === 'characterEscape';
      },
    },
  },
};

/** For mdast-util-from-markdown, after the extension of mdast-util-math. */
export const inlineMathFromMarkdown: FromMarkdown = {
  enter: {
    mathText(token) {
      const data = { isInLine: !this.sliceSerialize(token).startsWith('$$') };
      this.enter({ type: 'inlineMath', value: '', data }, token);
      this.buffer();
    },
  },
  exit: {
    mathText(token) {
      const text = this.resume().replace(/\s*\n\s*/g, ' ');
      const value = this.data.inTable === true ? text.replaceAll('\\|', '|') : text;
      const node = this.stack.at(-1);
      if (node?.type === 'inlineMath') node.value = value;
      this.exit(token);
    },
  },
};

/** A bar in a table's cell would end the cell. A backslash takes the next character with it. */
const withoutBars = (tex: string): string =>
  tex.replace(/\\[^]|\|/g, (sign) => (sign === '|' ? '\\vert ' : sign === '\\|' ? '\\Vert ' : sign)).trimEnd();

function write({ value }: InlineMath, _parent: unknown, { stack }: { readonly stack: readonly string[] }): string {
  const tex = value.replaceAll('\n', ' ');
  return `$${stack.includes('tableCell') ? withoutBars(tex) : tex}$`;
}

/** For mdast-util-to-markdown, after the extension of mdast-util-math. */
export const inlineMathToMarkdown: ToMarkdown = {
  // A dollar sign before anything but a blank could begin a formula. Escaped whatever follows: with a condition the writer would leave
  // out an escape before another one, and `$\*` begins a formula too.
  unsafe: [{ character: '$', inConstruct: 'phrasing' }],
  handlers: {
    inlineMath: Object.assign(write, { peek: () => '$' }),
    text: (node: Text, _parent, state, info) => {
      const safe = state.safe(node.value, info);
      return node.data?.isOnlySign === true ? safe.replaceAll('\\$', '$') : safe;
    },
  },
};
