// The options of an open workspace: its ports, and the parts of the person's state that it uses or reports to.
import type { Atom } from 'jotai/vanilla';
import type { WeftError } from 'weft-sync/protocol/errors.ts';
import type { DocumentId, UserId } from 'weft-sync/protocol/ids.ts';
import type { Result } from '../../lib/result.ts';
import type { ListCache } from '../../ports/device.ts';
import type { WorkspaceStream } from '../../ports/streams.ts';
import type { Directory } from '../../ports/workspace.ts';
import type { Workspace, WorkspaceChange } from '../../protocol/answers.ts';
import type { Timing } from '../offline/cached-list.ts';
import type { People } from '../people/people.ts';
import type { AtomStore } from '../store.ts';
import type { GonePage } from './lost-pages.ts';
import type { PageEntryChanges } from './pending/page-changes.ts';
import type { PendingPages } from './pending/pending-pages.ts';

export type WorkspaceOptions = {
  readonly workspace: Workspace;
  readonly me: UserId;
  readonly store: AtomStore;
  readonly directory: Directory;
  readonly stream: WorkspaceStream;
  readonly listCache: ListCache;
  readonly people: People;
  readonly timing: Timing;
  readonly pendingPages: Pick<PendingPages, 'atom' | 'add' | 'create' | 'moveTo' | 'drop'>;
  readonly changes: Pick<PageEntryChanges, 'atom' | 'add' | 'takeBack' | 'settled'>;
  readonly renamePage: (page: DocumentId, title: string) => Promise<Result<void, WeftError>>;
  /** Pages that this person saw here without the server knowing it yet. */
  readonly waitingVisitsAtom: Atom<ReadonlySet<DocumentId>>;
  /** The pages cached on this device. Null while the browser cannot tell. */
  readonly cachedPagesAtom: Atom<ReadonlySet<DocumentId> | null>;
  /** Someone changed the comments of a page, or who may read them. Null: changes may have been missed. */
  readonly onCommented: (change: WorkspaceChange | null) => void;
  /** Runs with the pages that the person saw and that a newer list lacks. */
  readonly onPagesGone: (pages: readonly GonePage[]) => void;
};
