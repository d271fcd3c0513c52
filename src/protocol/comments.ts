// Comments as they are stored, sent and answered: what a thread is about, what a comment says, and the answers of the database
// (SPECIFICATION.md, "Exact shapes"). Everything is parsed at every border: content of others is data, and never run.
import * as v from 'valibot';
import { count, documentId, instant, userId } from 'weft-sync/protocol/shapes.ts';
import { MAX_PICTURE_PIXELS } from './attachment.ts';
import { attachmentId, commentId, threadId } from './shapes.ts';

// --- what a thread is about ------------------------------------------------------------------------------------------

/** UTF-16 units. */
export const MAX_QUOTE_LENGTH = 500;
/** Of the text before and after the words, in UTF-16 units. */
export const MAX_CONTEXT_LENGTH = 48;

const text = (most: number) => v.pipe(v.string(), v.maxLength(most));

/**
 * When the history of the page began that the author's device had, in ms since 1970 by the database's clock; 0 or left out: with the
 * page. Devices send it, and answers lack it. If the history began again since, words were erased, and the database stores no quote.
 */
const history = v.optional(count);

/**
 * Words. `from` and `to` are relative positions of Yjs in base64. The words and their neighbours are there to find them again when
 * a move or a restore has put a copy in their place; erasing a page's history blanks all three.
 */
const textAnchor = v.object({
  kind: v.literal('text'),
  from: text(400),
  to: text(400),
  /** The id of the block in which the words begin. */
  block: v.nullable(text(64)),
  quote: text(MAX_QUOTE_LENGTH),
  before: text(MAX_CONTEXT_LENGTH),
  after: text(MAX_CONTEXT_LENGTH),
  history,
});
/** A picture, a file, a table, a divider … as a whole. `quote`: its text or name. */
const blockAnchor = v.object({ kind: v.literal('block'), block: text(64), quote: text(MAX_QUOTE_LENGTH), history });
const pageAnchor = v.object({ kind: v.literal('page') });

/** What a thread is about. Stored with the thread and not in the page, so that a person may comment who may not write. */
export const anchor = v.variant('kind', [textAnchor, blockAnchor, pageAnchor]);
export type TextAnchor = v.InferOutput<typeof textAnchor>;
export type BlockAnchor = v.InferOutput<typeof blockAnchor>;
export type Anchor = v.InferOutput<typeof anchor>;

// --- what a comment says ---------------------------------------------------------------------------------------------

/** UTF-16 units, all runs together. */
export const MAX_COMMENT_LENGTH = 10_000;
export const MAX_COMMENT_BLOCKS = 200;
export const MAX_COMMENT_RUNS = 2_000;
export const MAX_COMMENT_PICTURES = 4;
/** UTF-16 units. */
export const MAX_ALT_LENGTH = 500;

const commentRun = v.object({
  text: text(MAX_COMMENT_LENGTH),
  bold: v.optional(v.literal(true)),
  italic: v.optional(v.literal(true)),
  code: v.optional(v.literal(true)),
  /** Shown as a link only if `parseLinkUrl` accepts it. */
  link: v.optional(text(2_000)),
  /** A person; `text` is their name at that time. */
  mention: v.optional(userId),
});
const commentLine = v.object({
  kind: v.picklist(['paragraph', 'bullet', 'numbered']),
  runs: v.pipe(v.array(commentRun), v.readonly()),
});
/** Pixels. */
const length = v.pipe(count, v.minValue(1), v.maxValue(999_999));
const commentPicture = v.pipe(
  v.object({
    kind: v.literal('picture'),
    /** An attachment of the page that its author added for a comment. Never an address. */
    picture: attachmentId,
    width: length,
    height: length,
    /** What it shows, in words. Empty: no one wrote it. */
    alt: text(MAX_ALT_LENGTH),
  }),
  v.check(({ width, height }) => width * height <= MAX_PICTURE_PIXELS),
);
export type CommentRun = v.InferOutput<typeof commentRun>;
export type CommentLine = v.InferOutput<typeof commentLine>;
export type CommentPicture = v.InferOutput<typeof commentPicture>;
export type CommentBlock = CommentLine | CommentPicture;

const isPicture = (block: CommentBlock): block is CommentPicture => block.kind === 'picture';
export const picturesOf = (body: readonly CommentBlock[]): readonly CommentPicture[] => body.filter(isPicture);
export const linesOf = (body: readonly CommentBlock[]): readonly CommentLine[] =>
  body.flatMap((block) => (isPicture(block) ? [] : block));

export const commentBody = v.pipe(
  v.array(v.union([commentLine, commentPicture])),
  v.maxLength(MAX_COMMENT_BLOCKS),
  v.check((body) => picturesOf(body).length <= MAX_COMMENT_PICTURES),
  v.readonly(),
);
export type CommentBody = v.InferOutput<typeof commentBody>;

// --- answers ---------------------------------------------------------------------------------------------------------

export const comment = v.object({
  id: commentId,
  /** Null: they deleted their account. */
  by: v.nullable(userId),
  at: instant,
  /** Null: it was never edited. */
  editedAt: v.nullable(instant),
  /** Null: it was deleted. Replies keep their place below it. */
  body: v.nullable(commentBody),
  /** The number of the page's change of comments that made it. Larger than the reader's `readChange`: unread. */
  change: count,
  /** Who reacted, by emoji. */
  reactions: v.pipe(v.array(v.object({ emoji: v.string(), by: v.pipe(v.array(userId), v.readonly()) })), v.readonly()),
});
export type Comment = v.InferOutput<typeof comment>;

export const thread = v.object({
  id: threadId,
  anchor,
  by: v.nullable(userId),
  at: instant,
  resolved: v.nullable(v.object({ by: v.nullable(userId), at: instant })),
  /** The newest change of the thread. */
  change: count,
  /** Oldest first; never empty. */
  comments: v.pipe(v.array(comment), v.readonly()),
});
export type Thread = v.InferOutput<typeof thread>;

/** All comments of the thread were deleted. */
export const removedThread = v.object({ id: threadId, removed: v.literal(true) });
export const changedThread = v.union([thread, removedThread]);
export type ChangedThread = v.InferOutput<typeof changedThread>;

/**
 * A list from all answers of `list_comments`. `change`: the newest change of the page's comments. `readChange`: the newest one that
 * the caller has read.
 */
export const commentList = v.object({
  document: documentId,
  change: count,
  readChange: count,
  /** Whether the caller may comment here. */
  mayComment: v.boolean(),
  threads: v.pipe(v.array(changedThread), v.readonly()),
});
export type CommentList = v.InferOutput<typeof commentList>;
/** One answer of `list_comments`, which may be several. `more`: others were changed after `change`. */
export const commentPage = v.object({ ...commentList.entries, more: v.boolean() });
export type CommentPage = v.InferOutput<typeof commentPage>;

/** The answer of every function that changes a thread. */
export const commentAnswer = v.object({ change: count, thread: changedThread });
export type CommentAnswer = v.InferOutput<typeof commentAnswer>;

// --- by a link to watch ----------------------------------------------------------------------------------------------

/** Without people. `author`: the number of who wrote it, in the thread; null: they deleted their account. */
const linkComment = v.object({
  ...v.omit(comment, ['by']).entries,
  author: v.nullable(count),
  reactions: v.pipe(v.array(v.object({ emoji: v.string(), count })), v.readonly()),
});
export type LinkComment = v.InferOutput<typeof linkComment>;

const linkThread = v.object({
  ...v.omit(thread, ['by']).entries,
  /** When. Null: it is open. */
  resolved: v.nullable(instant),
  comments: v.pipe(v.array(linkComment), v.readonly()),
});
export type LinkThread = v.InferOutput<typeof linkThread>;
const changedLinkThread = v.union([linkThread, removedThread]);
export type ChangedLinkThread = v.InferOutput<typeof changedLinkThread>;

/** A list from all answers of `list_link_comments`. */
const linkCommentList = v.object({ change: count, threads: v.pipe(v.array(changedLinkThread), v.readonly()) });
export type LinkCommentList = v.InferOutput<typeof linkCommentList>;
/** One answer, of which there may be several. `more`: others were changed after `change`. */
export const linkCommentPage = v.object({ ...linkCommentList.entries, more: v.boolean() });
