// The ports of the views for live changes: of a workspace, and of what concerns one person.
import type { DocumentId, UserId } from 'weft-sync/protocol/ids.ts';
import type { WorkspaceChange, Workspace } from '../protocol/answers.ts';

/** The page that a member has open in a workspace; null: none. `isReading`: they have not edited it lately. */
export type MemberLocation = {
  readonly user: UserId;
  readonly document: DocumentId | null;
  readonly isReading?: boolean;
};

export interface WorkspaceStream {
  /**
   * Joins the workspace's topic and rejoins by itself after every loss. Then it calls `caughtUp`, so that lists are
   * fetched again.
   */
  open(
    workspace: Workspace,
    on: {
      change(change: WorkspaceChange): void;
      /** Null while not connected. */
      locations(people: readonly MemberLocation[] | null): void;
      caughtUp(): void;
    },
  ): {
    /** Tells the others which page this person has open, and whether they edit it. Sent at most once per 10 s; the last call wins. */
    setCurrentPage(document: DocumentId | null, isReading: boolean): void;
    close(): void;
  };
}

export interface PersonStream {
  /**
   * Joins the person's own topic and rejoins by itself after every loss. Then it calls `caughtUp`, so that lists are
   * fetched again.
   */
  open(on: { change(change: WorkspaceChange): void; caughtUp(): void }): { close(): void };
}
