// The people and versions that the history's screen shows, and what its reader may do. For signed-in people they come
// from the database; by a link, from the link's history, where no one is named.
import type { DocumentId, UserId } from 'weft-sync/protocol/ids.ts';
import type { PageFiles } from '../../ports/files.ts';
import type { Version } from '../../protocol/history-answers.ts';
import type { RestoreRequest } from '../../state/page/restore-version.ts';
import type { Rows } from './timeline/use-rows.ts';
import type { ListedVersions, Versions } from './versions/use-versions.ts';
import type { VersionFilter } from './versions/version-entries.ts';
import type { WhoIs } from './who.ts';

/** A restore, and the text of the toast that follows it. */
export type Restoring = RestoreRequest & { readonly done: string };

/** For people who may edit the page. */
type HistoryEditing = Pick<Versions, 'name' | 'rename' | 'remove'> & {
  /** Others who have the page open. */
  readonly here: readonly UserId[];
  readonly mayChange: (version: Version) => boolean;
  /** Resolves with an error text, or null. */
  readonly restore: (request: Restoring) => Promise<string | null>;
};

export type HistorySource = {
  readonly documentId: DocumentId;
  readonly files: PageFiles;
  readonly rows: Rows;
  readonly whoIs: WhoIs;
  readonly versions: ListedVersions;
  readonly filter: VersionFilter;
  readonly onFilter: (filter: VersionFilter) => void;
  readonly editing: HistoryEditing | null;
};
