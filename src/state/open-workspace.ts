// One open workspace as atoms: its pages and who is on which, kept live by its change stream.
import { type Atom, atom } from 'jotai/vanilla';
import { compareRanks, rankAfter } from '../lib/rank-after.ts';
import { type Result, err } from '../lib/result.ts';
import type { Change, DocumentList, DocumentSummary, Workspace } from '../protocol/answers.ts';
import { type WeftError, weftError } from '../protocol/errors.ts';
import type { DocumentId, UserId } from '../protocol/ids.ts';
import { type KeptList, type Timing, keepList } from './kept-list.ts';
import type { People } from './people.ts';
import type { Directory, Shelf, Whereabouts, WorkspaceStream } from './ports.ts';
import type { Store } from './store.ts';
import { parseStoredDocuments } from './stored-lists.ts';

export interface OpenWorkspace {
  /** As it was when it was opened; its name now is in `listAtom`. */
  readonly workspace: Workspace;
  readonly listAtom: Atom<KeptList<DocumentList>>;
  /** Which member is on which page, this person's other tabs included; null while nobody knows. */
  readonly presentAtom: Atom<readonly Whereabouts[] | null>;
  readonly refresh: () => Promise<void>;
  readonly moveTo: (document: DocumentId | null) => void;
  /** A blank page at the end of its siblings. */
  readonly createPage: (parent: DocumentId | null, id: DocumentId) => Promise<Result<DocumentSummary, WeftError>>;
  readonly close: () => void;
}

const NO_STREAM: ReturnType<WorkspaceStream['open']> = { moveTo: () => undefined, close: () => undefined };

export function openWorkspace(options: {
  readonly workspace: Workspace;
  readonly store: Store;
  readonly directory: Directory;
  readonly stream: WorkspaceStream;
  readonly shelf: Shelf;
  readonly people: People;
  readonly timing: Timing;
}): OpenWorkspace {
  const { workspace, store, directory, people } = options;
  const presentAtom = atom<readonly Whereabouts[] | null>(null);
  let place: DocumentId | null = null;
  let closed = false;

  const list = keepList({
    store,
    shelf: options.shelf,
    key: `documents:${workspace.id}`,
    fetch: () => directory.documents(workspace.id),
    parse: parseStoredDocuments,
    timing: options.timing,
  });

  const change = (what: Change) => {
    if (what.kind === 'member') people.refresh();
    void list.refresh();
  };
  const present = (now: readonly Whereabouts[] | null) => {
    people.meet((now ?? []).map(({ user }) => user));
    store.set(presentAtom, now);
  };
  // The topic's name carries the workspace's epoch: a change of rights moves it, and the list says where to.
  let epoch = workspace.epoch;
  // Who sees single pages only is not let into the topic: not asking spares them a refusal that takes five seconds.
  const join = (at: Workspace) =>
    at.role === null ? NO_STREAM : options.stream.open(at, { change, present, caughtUp: () => void list.refresh() });
  let stream = join(workspace);
  const stopWatching = store.sub(list.atom, () => {
    const now = store.get(list.atom).value;
    if (closed || now === null) return;
    people.meet(now.documents.flatMap(({ updatedBy }) => updatedBy ?? []));
    const isMember = now.workspace.role !== null;
    if (now.workspace.epoch <= epoch && isMember === (stream !== NO_STREAM)) return;
    epoch = now.workspace.epoch;
    stream.close();
    stream = join(now.workspace);
    stream.moveTo(place);
  });

  return {
    workspace,
    listAtom: list.atom,
    presentAtom,
    refresh: list.refresh,
    moveTo(document) {
      place = document;
      stream.moveTo(document);
    },
    async createPage(parent, id) {
      // Pressed before the list came: its rank needs the siblings.
      if (store.get(list.atom).value === null) await list.refresh();
      const now = store.get(list.atom).value;
      if (now === null) return err(weftError('WF011', 'the list of pages is not known yet'));
      const rank = rankAfter(lastRank(now.documents, parent));
      const answer = await directory.createDocument({ id, workspace: workspace.id, parent, rank });
      if (answer.ok) {
        list.amend((before) => ({
          ...before,
          documents: [...before.documents.filter((one) => one.id !== answer.value.id), answer.value],
        }));
      }
      return answer;
    },
    close() {
      closed = true;
      stopWatching();
      stream.close();
      list.close();
    },
  };
}

function lastRank(documents: readonly DocumentSummary[], parent: DocumentId | null): string | null {
  const ranks = documents.filter((document) => document.parentId === parent).map(({ rank }) => rank);
  return ranks.sort(compareRanks).at(-1) ?? null;
}

/** Everybody on a page but one person, in the order they came; somebody in two tabs once. */
export function othersOn(present: readonly Whereabouts[] | null, document: DocumentId, me: UserId): readonly UserId[] {
  const users = (present ?? []).filter((one) => one.document === document && one.user !== me).map(({ user }) => user);
  return Array.from(new Set(users));
}
