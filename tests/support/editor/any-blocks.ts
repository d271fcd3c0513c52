// Arbitrary blocks for property tests: every kind, mark and attribute, with text full of characters that mean something in
// Markdown and HTML.
import fc from 'fast-check';
import { DELIMITERS, KINDS, PLAIN, type Run, TONES } from 'weft-document/blocks/block.ts';
import { type DetachedBlock, type DetachedTextBlock, joinRuns } from 'weft-document/blocks/detached-block.ts';

const SYNTAX = [
  '*',
  '_',
  '`',
  '#',
  '>',
  '- ',
  '1. ',
  '[',
  '](',
  '<b>',
  '</details>',
  '&amp;',
  '|',
  '\\',
  '$$',
  '\n',
  '  ',
  '"',
  '~~',
  '[!NOTE]',
  '😀',
  'א',
];
const words = fc
  .array(fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...SYNTAX) }, fc.string({ maxLength: 6 })), { maxLength: 6 })
  .map((parts) => parts.join('').replace(/[\0\r\uFFFD]/g, ''));
const anyBoolean = fc.boolean();

const run: fc.Arbitrary<Run> = fc
  .record({
    text: words,
    bold: anyBoolean,
    italic: anyBoolean,
    underline: anyBoolean,
    strike: anyBoolean,
    code: anyBoolean,
    highlight: anyBoolean,
    formula: anyBoolean,
    link: fc.constantFrom(null, null, 'https://weft.dev/a?b=(c)', '/w/x'),
    mention: fc.constantFrom(null, null, 'user-1'),
    date: fc.constantFrom(null, null, '2026-11-21'),
  })
  .map((one) => ({ ...PLAIN, ...one }));
const runs = fc.array(run, { maxLength: 4 }).map(joinRuns);

const text: fc.Arbitrary<DetachedTextBlock> = fc
  .record({
    kind: fc.constantFrom(...KINDS),
    level: fc.constantFrom(1, 2, 3),
    indent: fc.integer({ min: 0, max: 8 }),
    checked: anyBoolean,
    language: fc.constantFrom(null, 'ts', 'c++'),
    tone: fc.constantFrom(...TONES),
    start: fc.constantFrom(null, null, 0, 1, 2, 7, 1999),
    delimiter: fc.constantFrom(...DELIMITERS),
    runs,
    plain: words,
  })
  .map(({ plain, ...style }) => ({
    type: 'block',
    kind: style.kind,
    // Attributes without a meaning in this kind are not stored.
    level: style.kind === 'heading' ? style.level : 1,
    indent: style.indent,
    checked: style.kind === 'task' && style.checked,
    language: style.kind === 'code' ? style.language : null,
    tone: style.kind === 'callout' ? style.tone : 'note',
    start: style.kind === 'numbered' ? style.start : null,
    delimiter: style.kind === 'numbered' ? style.delimiter : '.',
    runs: style.kind === 'code' ? joinRuns([{ ...PLAIN, text: plain }]) : style.runs,
  }));

const size = fc.integer({ min: 0, max: 4000 });
const block: fc.Arbitrary<DetachedBlock> = fc.oneof(
  { weight: 6, arbitrary: text },
  fc.constant<DetachedBlock>({ type: 'divider' }),
  fc.record({
    type: fc.constant('image' as const),
    file: fc.constantFrom(null, 'file-1'),
    name: words,
    width: size,
    height: size,
    size: fc.constantFrom(null, 10, 55, 100),
    runs,
  }),
  fc.record({
    type: fc.constant('file' as const),
    file: fc.constantFrom(null, 'file-1'),
    name: words,
    bytes: size,
    mime: fc.constantFrom('application/pdf', 'application/octet-stream'),
  }),
  fc
    .record({
      type: fc.constant('table' as const),
      headRow: anyBoolean,
      headColumn: anyBoolean,
      wide: anyBoolean,
      aligned: anyBoolean,
      rows: fc.array(fc.array(fc.record({ runs }), { maxLength: 3 }), { maxLength: 3 }),
    })
    .map(({ wide, aligned, ...table }) => {
      // Width and alignment of a column are stored in its first cell.
      const columns = Array.from(
        { length: Math.max(0, ...table.rows.map((row) => row.length)) },
        (_, at) => at < (table.rows[0]?.length ?? 0),
      );
      return {
        ...table,
        widths: columns.map((isStored) => (wide && isStored ? 120 : null)),
        alignments: columns.map((isStored, at) => (aligned && isStored && at > 0 ? ('right' as const) : null)),
      };
    }),
  fc.record({ type: fc.constant('math' as const), tex: words }),
  fc.record({
    type: fc.constant('embed' as const),
    url: fc.constantFrom(null, 'https://weft.dev/a', 'https://weft.dev/a.png'),
    title: words,
  }),
);

export const anyBlocks = fc.array(block, { maxLength: 12 });
