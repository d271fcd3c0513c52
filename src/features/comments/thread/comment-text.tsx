// The text of a comment. It comes from others: only React elements, and links only to addresses that may be linked to.
import { Fragment, type ReactNode } from 'react';
import { parseLinkUrl } from 'weft-document/link-url.ts';
import { type CommentBody, type CommentLine, type CommentRun, linesOf } from '../../../protocol/comments.ts';
import { MAX_DRAWING_MS, drawingCost } from '../../../ui/blocks/drawing-cost.ts';
import { shownParts } from '../../../ui/blocks/unsupported-block-text.ts';

export function CommentText({ body }: { readonly body: CommentBody }) {
  const lines = linesOf(body);
  if (lines.length === 0) return null;
  return (
    <div className="comment-body">
      {groupsOf(isCostly(lines) ? lines.map(withoutCost) : lines).map(({ kind, blocks }, at) => {
        const List = kind === 'numbered' ? 'ol' : 'ul';
        // A comment's lines have no ids, and change only as a whole.
        if (kind === 'paragraph') return blocks.map((block) => <Line key={at} as="p" block={block} />);
        return (
          <List key={at}>
            {blocks.map((block, line) => (
              <Line key={line} as="li" block={block} />
            ))}
          </List>
        );
      })}
    </div>
  );
}

/** Whether it would keep the page busy: ten thousand marks on one character, or flags in a row. No one writes that to be read. */
const isCostly = (body: readonly CommentLine[]): boolean =>
  drawingCost(body.flatMap(({ runs }) => [...runs.map(({ text }) => ({ text, marks: 0, formulas: 0 })), LINE_BREAK])) >
  MAX_DRAWING_MS;

const LINE_BREAK = { text: '\n', marks: 0, formulas: 0 };

const withoutCost = ({ kind, runs }: CommentLine): CommentLine => ({
  kind,
  runs: [{ text: shownParts(runs.map(({ text }) => text).join(''), Infinity).shown }],
});

type LineProps = { readonly as: 'p' | 'li'; readonly block: CommentLine };

const Line = ({ as: Element, block }: LineProps) => (
  <Element dir="auto">
    {block.runs.map((run, at) => (
      <Fragment key={at}>{drawn(run)}</Fragment>
    ))}
  </Element>
);

function drawn({ text, bold, italic, code, link, mention }: CommentRun): ReactNode {
  let words: ReactNode = text;
  if (code === true) words = <code>{words}</code>;
  if (italic === true) words = <em>{words}</em>;
  if (bold === true) words = <strong>{words}</strong>;
  if (mention !== undefined) words = <span className="comment-mention">{words}</span>;
  const href = link === undefined ? null : parseLinkUrl(link);
  if (href === null) return words;
  return (
    <a href={href} target="_blank" rel="noopener noreferrer nofollow" title={href}>
      {words}
    </a>
  );
}

type Group = { readonly kind: CommentLine['kind']; readonly blocks: CommentLine[] };

/** The lines of a list together; each paragraph alone. */
function groupsOf(body: readonly CommentLine[]): readonly Group[] {
  const groups: Group[] = [];
  for (const block of body) {
    const last = groups.at(-1);
    if (last?.kind === block.kind && block.kind !== 'paragraph') last.blocks.push(block);
    else groups.push({ kind: block.kind, blocks: [block] });
  }
  return groups;
}
