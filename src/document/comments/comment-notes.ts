// The comments of a page as footnotes of a file.
import type * as Y from 'yjs';
import { cutText } from '../../lib/text/cut-text.ts';
import { isoDayOf } from '../../lib/text/times.ts';
import { type CommentBody, type CommentLine, type CommentRun, linesOf, picturesOf } from '../../protocol/comments.ts';
import { type Block, PLAIN, type Run } from '../blocks/block.ts';
import { type DetachedTextBlock, plainRun, textBlock } from '../blocks/detached-block.ts';
import { parseLinkUrl } from '../link-url.ts';
import type { Footnote } from '../markdown/split-blocks.ts';
import { type PageMoment, findOn, pageMoment } from './find-anchor.ts';
import { type BlockPlace, NotedBlocks, compareBlockPlaces } from './place-notes.ts';
import { textPlaceOf } from './positions.ts';
import type { WrittenThread } from './written-thread.ts';

/**
 * The page's blocks with a reference behind the words of each thread, and the threads as footnotes. Threads without a
 * place on the page are listed at its end.
 */
export function pageWithComments(
  doc: Y.Doc,
  threads: readonly WrittenThread[],
): { readonly blocks: readonly Block[]; readonly notes: readonly Footnote[] } {
  const page = pageMoment(doc);
  const blocks = new NotedBlocks(doc);
  const all = threads.map((thread) => ({ thread, place: placeOf(page, blocks, thread) }));
  const placed = all
    .flatMap(({ thread, place }) => (place === null ? [] : [{ thread, place }]))
    .sort((one, other) => compareBlockPlaces(one.place, other.place))
    .map(({ thread, place }, at) => ({ thread, place, name: nameOf(at) }));
  const others = all
    .filter(({ place }) => place === null)
    .map(({ thread }, at) => ({ thread, name: nameOf(placed.length + at) }));
  return {
    blocks: [...blocks.with(placed), ...listOf(others)],
    notes: [...placed, ...others].map(({ thread, name }) => ({ name, blocks: blocksOf(thread, subjectOf(thread)) })),
  };
}

const nameOf = (at: number): string => `c${at + 1}`;

/** Null: it is about the page, or about something that is gone. */
function placeOf(page: PageMoment, blocks: NotedBlocks, { anchor }: WrittenThread): BlockPlace | null {
  const found = findOn(page, anchor);
  if (found.at === 'block') return blocks.placeOfBlock(found.block);
  const end = found.at === 'text' ? textPlaceOf(page.doc, found.to) : null;
  return end === null ? null : blocks.placeOf(end);
}

type Named = { readonly thread: WrittenThread; readonly name: string };

/** No footnote is shown that nothing refers to. */
const listOf = (others: readonly Named[]): readonly Block[] =>
  others.length === 0
    ? []
    : [
        textBlock({ kind: 'heading' }, [plainRun('Comments')]),
        ...others.map(({ thread, name }) => {
          const gone = thread.anchor.kind === 'page' ? '' : ', no longer on the page';
          return textBlock({ kind: 'bullet' }, [
            plainRun(subjectOf(thread) + gone),
            { ...plainRun(`[^${name}]`), note: name },
          ]);
        }),
      ].map((block, at) => ({ ...block, key: `comments ${at}`, id: null }));

function subjectOf({ anchor }: WrittenThread): string {
  if (anchor.kind === 'page') return 'About the page';
  if (anchor.quote !== '') return `“${inOneLine(anchor.quote)}”`;
  return anchor.kind === 'block' ? 'A block' : 'Erased words';
}

/** Each comment is an item of its own, so that the lines of one never look like a comment of someone else. */
const blocksOf = ({ isResolved, comments }: WrittenThread, subject: string): readonly DetachedTextBlock[] => [
  textBlock({}, [plainRun(isResolved ? `${subject} (resolved)` : subject)]),
  ...comments.flatMap(({ by, at, body }) => {
    const [first, ...rest] = [...linesOf(body), ...picturesLeftOut(body)];
    const author = [{ ...plainRun(inOneLine(by)), bold: true }, plainRun(`, ${isoDayOf(at)}: `)];
    const isLine = first?.kind === 'paragraph';
    const below = first === undefined || isLine ? rest : [first, ...rest];
    return [
      textBlock({ kind: 'bullet' }, isLine ? [...author, ...first.runs.map(runOf)] : author),
      ...below.map(({ kind, runs }) => textBlock({ kind, indent: 1 }, runs.map(runOf))),
    ];
  }),
];

/** A line for each picture: the file has no bytes of them. */
const picturesLeftOut = (body: CommentBody): readonly CommentLine[] =>
  picturesOf(body).map(({ alt }) => ({
    kind: 'paragraph',
    runs: [{ text: `(Picture left out${alt.trim() === '' ? '' : `: ${inOneLine(alt)}`})` }],
  }));

const runOf = ({ text, bold, italic, code, link }: CommentRun): Run => ({
  ...PLAIN,
  text,
  bold: bold === true,
  italic: italic === true,
  code: code === true,
  link: parseLinkUrl(link),
});

const inOneLine = (text: string): string => cutText(text.replace(/\s+/g, ' ').trim(), 1_000);
