import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Run, textOfRuns } from 'weft-document/blocks/block.ts';
import { plainRun, textBlock } from 'weft-document/blocks/detached-block.ts';
import { cutFormulas, formulaClosedBy, formulasInText } from 'weft-document/blocks/inline-formulas.ts';
import { blocksToHtml } from 'weft-document/html/blocks-to-html.ts';
import { blocksToMarkdown } from 'weft-document/markdown/blocks-to-markdown.ts';
import { isMarkdown } from 'weft-document/markdown/is-markdown.ts';
import { markdownToBlocks } from 'weft-document/markdown/markdown-to-blocks.ts';

const formula = (text: string): Run => ({ ...plainRun(text), formula: true });

/** A formula as `[$x$]`. */
const words = (runs: readonly Run[]) => runs.map(({ text, formula: is }) => (is ? `[${text}]` : text)).join('');

function read(markdown: string): readonly string[] {
  return markdownToBlocks(markdown).flatMap((block) => {
    if (block.type === 'math') return [`math ${block.tex}`];
    if (block.type === 'table') return block.rows.map((row) => row.map(({ runs }) => words(runs)).join(' | '));
    return 'runs' in block ? [words(block.runs)] : [];
  });
}

test.each([
  ['a $x^2$ b', 'a [$x^2$] b'],
  ['$x$', '[$x$]'],
  ['$5 and $6', '$5 and $6'],
  ['$5-$6', '$5-$6'],
  ['$x $ and $ y$', '$x $ and $ y$'],
  ['$a \\$ b$', '[$a \\$ b$]'],
  ['\\$x$', '$x$'],
  ['`$x$`', '$x$'],
  ['$a*b$ and $c*d$', '[$a*b$] and [$c*d$]'],
  ['$a\nb$', '[$a b$]'],
  ['so $$x$$', 'so [$x$]'],
  ['$$x$$', 'math x'],
  ['# $x$', '[$x$]'],
])('the Markdown %j is read as %j', (markdown, line) => {
  expect(read(markdown)).toEqual([line]);
});

test.each([
  [[formula('$x$'), plainRun('2')], '$x$<!-- -->2\n'],
  [[formula('$x$'), plainRun(' is '), { ...formula('$y$'), bold: true }], '$x$ is **$y$**\n'],
  [[formula('$a$$b$')], '$a$<!-- -->$b$\n'],
  [[formula('$x'), plainRun(' costs')], '$x costs\n'],
  [[plainRun('costs $5')], 'costs $5\n'],
  [[plainRun('$5 and $6')], '\\$5 and \\$6\n'],
  [[plainRun('$$~~$$*')], '\\$\\$\\~\\~\\$\\$\\*\n'],
])('the text %# is written so that it is read as the same', (runs, markdown) => {
  expect(blocksToMarkdown([textBlock({}, runs)])).toBe(markdown);
  const cut = cutFormulas(runs).map(({ run }) => run);
  expect(read(markdown).map((line) => line.replaceAll('][', ''))).toEqual([words(cut).replaceAll('][', '')]);
});

test('a bar in a formula does not end a cell', () => {
  const row = (text: string) => [{ runs: [text.startsWith('$') ? formula(text) : plainRun(text)] }, { runs: [] }];
  const table = {
    type: 'table' as const,
    headRow: true,
    headColumn: false,
    rows: [row('a'), row('$|x|+\\|y\\|\\\\|$')],
  };
  expect(read(blocksToMarkdown([table]))).toEqual(['a | ', '[$\\vert x\\vert +\\Vert y\\Vert \\\\\\vert$] | ']);
  expect(read('| a |\n| - |\n| $\\|x\\|$ |')).toEqual(['a', '[$|x|$]']);
});

test('HTML has MathML, or the source that Weft reads back', () => {
  const block = textBlock({}, [plainRun('a<'), { ...formula('$x<y$'), bold: true }]);
  expect(blocksToHtml([block], { roundTrip: false, inlineMath: (tex) => `<math>${tex.length}</math>` })).toBe(
    '<p>a&lt;<strong><math>3</math></strong></p>',
  );
  expect(blocksToHtml([block], { roundTrip: false })).toBe(
    '<p>a&lt;<strong><span data-formula="">$x&lt;y$</span></strong></p>',
  );
  const toggle = textBlock({ kind: 'toggle' }, [formula('$x$')]);
  expect(read(blocksToMarkdown([toggle]))).toEqual(['[$x$]']);
});

test.each([
  ['so $x^2$, then', true],
  ['($x$)', true],
  ['$5 and $6', false],
  ['echo $HOME $PATH', false],
  ['$HOME:$PATH', false],
])('%j is Markdown: %s', (text, is) => expect(isMarkdown(text)).toBe(is));

describe('signs', () => {
  test.each([
    ['$x$', { from: 0, to: 3, tex: 'x' }],
    ['a $x y$', { from: 2, to: 7, tex: 'x y' }],
    ['$a$ $b$', { from: 4, to: 7, tex: 'b' }],
    ['$5 and $', null],
    ['$$', null],
    ['$ x$', null],
    ['\\$x$', null],
    ['$x\\$', null],
    [`$${'x'.repeat(1_001)}$`, null],
  ])('the last sign of %j closes %j', (text, closed) => expect(formulaClosedBy(text)).toEqual(closed));

  test('marked text without its signs, or with nothing between them, is text', () => {
    expect(['x', '$x', 'x$', '$$', '$ $', '$\\$'].flatMap(formulasInText)).toEqual([]);
  });

  test('a formula keeps the marks of its first character, and no text is lost', () => {
    const text = fc.string({ unit: fc.constantFrom('$', 'x', ' ', '\\', '\n') });
    const run = fc.record({ text, formula: fc.boolean(), bold: fc.boolean() });
    fc.assert(
      fc.property(fc.array(run), (some) => {
        const runs = some.map((one) => ({ ...plainRun(''), ...one }));
        const characters = (all: readonly Run[]) => textOfRuns(all).replace(/\s/g, '');
        const cut = cutFormulas(runs);
        expect(characters(cut.map((one) => one.run))).toBe(characters(runs));
        for (const one of cut) expect(one.run.formula).toBe(one.tex !== null);
      }),
    );
  });
});
