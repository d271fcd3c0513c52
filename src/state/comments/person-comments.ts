// The comments of one person: of the pages that are open, and the changes that wait on this device, of all pages.
import { type Atom, atom } from 'jotai/vanilla';
import type { DocumentId } from 'weft-sync/protocol/ids.ts';
import type { WorkspaceChange } from '../../protocol/answers.ts';
import { type CommentChangesOptions, commentChanges } from './comment-changes.ts';
import { receiveStored } from './loaded-comments.ts';
import { type CommentedPage, type OpenComments, type PageCommentsOptions, pageComments } from './page-comments.ts';
import { textOfBody } from './text-of-body.ts';

/** A change of comments that the server does not have yet. */
export type WaitingComment = {
  readonly page: DocumentId;
  readonly madeAt: number;
  readonly isRefused: boolean;
  /** The device could not store it. */
  readonly isOnlyHere: boolean;
  /** The text of the comment. Null for a change without words. */
  readonly text: string | null;
};

export interface PersonComments {
  readonly waitingAtom: Atom<readonly WaitingComment[]>;
  /** The comments of an open page. The same object until `close` of it is called. */
  readonly ofPage: (page: CommentedPage) => OpenComments;
  /** Someone changed the comments of a page, or who may read them. Null: changes may have been missed. */
  readonly noteChange: (change: WorkspaceChange | null) => void;
  /** Gives up what waits of a page. */
  readonly discardPage: (document: DocumentId) => void;
  /** Sends everything that waits, after reading what other tabs left. */
  readonly retry: () => void;
  /** Reads the queue again, because another tab may have changed it. */
  readonly refresh: () => Promise<void>;
  readonly close: () => void;
}

export type PersonCommentsOptions = Omit<PageCommentsOptions, 'changes'> & Omit<CommentChangesOptions, 'onSent'>;

export function personComments(options: PersonCommentsOptions): PersonComments {
  const open = new Map<DocumentId, OpenComments>();
  const changes = commentChanges({
    ...options,
    async onSent({ page }, answer) {
      const shown = open.get(page);
      if (shown !== undefined) return shown.receive(answer?.thread ?? null);
      if (answer !== null) await receiveStored(options.listCache, page, answer.thread);
    },
  });

  return {
    waitingAtom: atom((get) =>
      get(changes.atom).map((change) => ({
        page: change.page,
        madeAt: change.madeAt,
        isRefused: change.refused !== null,
        isOnlyHere: get(changes.onlyHereAtom).has(change.key),
        text: 'body' in change ? textOfBody(change.body) : null,
      })),
    ),
    ofPage(page) {
      const known = open.get(page.documentId);
      if (known !== undefined) return known;
      const comments = pageComments({ ...options, changes }, page);
      const own: OpenComments = {
        ...comments,
        close() {
          open.delete(page.documentId);
          comments.close();
        },
      };
      open.set(page.documentId, own);
      return own;
    },
    noteChange(change) {
      // Who may read a page is inherited: a change of access may concern each open page.
      const only = change?.kind === 'comment' ? change.id : null;
      for (const [id, comments] of open) if (only === null || id === only) comments.noteChange(change?.op === 'read');
    },
    discardPage: changes.discardPage,
    retry: () => void changes.refresh().then(changes.sendAll),
    refresh: changes.refresh,
    close() {
      changes.close();
      for (const comments of open.values()) comments.close();
    },
  };
}
