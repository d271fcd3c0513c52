// The topic of one workspace: where its members are, and the page that this person has open. Joined again when its name changes.
import { atom } from 'jotai/vanilla';
import type { DocumentId } from 'weft-sync/protocol/ids.ts';
import type { Cancel } from '../../lib/cancel.ts';
import type { MemberLocation, WorkspaceStream } from '../../ports/streams.ts';
import type { Workspace, WorkspaceChange } from '../../protocol/answers.ts';
import { refreshOnRejoin } from '../people/people.ts';
import type { WorkspaceOptions } from './workspace-options.ts';

/** The home counts people as editing for the same time (hour-chart.ts). */
const EDITING_MS = 3 * 60_000;

/** The list is requested within this time after the topic is lost. */
const LOST_JITTER_MS = 2_000;

const NO_STREAM: ReturnType<WorkspaceStream['open']> = { setCurrentPage: () => undefined, close: () => undefined };
const NOTHING_ANNOUNCED: { readonly page: DocumentId | null; readonly isReading: boolean } = {
  page: null,
  isReading: true,
};

export function joinWorkspaceTopic(
  options: WorkspaceOptions & {
    readonly onChange: (change: WorkspaceChange) => void;
    /** Loads the list of pages again. */
    readonly refresh: () => Promise<void>;
    /** The page that this person has open, if all who are on the topic may know of it. */
    readonly announcedPage: () => DocumentId | null;
  },
) {
  const { store, timing } = options;
  /** The locations that presence reports; null while not connected, but a dead socket looks open for a while. */
  const locationsAtom = atom<readonly MemberLocation[] | null>(null);
  const showLocations = (locations: readonly MemberLocation[] | null) => {
    options.people.ensureLoaded((locations ?? []).map(({ user }) => user));
    const wasConnected = store.get(locationsAtom) !== null;
    store.set(locationsAtom, locations);
    // Whether the server is away, or only the topic. Not all people at once, if it restarts.
    if (locations === null && wasConnected)
      timing.after(timing.random() * LOST_JITTER_MS, () => void options.refresh());
  };
  const on = { change: options.onChange, locations: showLocations, caughtUp: caughtUp(options) };
  // A person who only sees single pages may not join the topic: guests and people by link get changes on their own topic.
  // Not trying spares them a refusal that takes five seconds.
  const join = (at: Workspace) => (mayJoin(at) ? options.stream.open(at, on) : NO_STREAM);
  let stream = join(options.workspace);
  // The topic's name contains the workspace's epoch. A change of rights changes the epoch, and the list contains the
  // new one.
  let { epoch } = options.workspace;
  let announced = NOTHING_ANNOUNCED;
  let editedAt = Number.NEGATIVE_INFINITY;
  let stopEditing: Cancel | null = null;

  const announce = () => {
    const page = options.announcedPage();
    const isReading = stopEditing === null;
    if (page === announced.page && (page === null || isReading === announced.isReading)) return;
    announced = { page, isReading };
    stream.setCurrentPage(page, isReading);
  };
  /** One timer, however many keys. */
  const becomeReader = () => {
    const left = editedAt + EDITING_MS - timing.now();
    stopEditing = left > 0 ? timing.after(left, becomeReader) : null;
    announce();
  };

  return {
    locationsAtom,
    /** The list of pages has changed, and with it maybe the topic, or who may know of the open page. */
    listChanged(now: Workspace): void {
      // It is lower after a restore from an earlier state.
      if (now.epoch !== epoch || mayJoin(now) !== (stream !== NO_STREAM)) {
        epoch = now.epoch;
        stream.close();
        stream = join(now);
        announced = NOTHING_ANNOUNCED;
      }
      announce();
    },
    pageOpened(): void {
      // Editing one page does not count as editing the next.
      stopEditing?.();
      stopEditing = null;
      announce();
    },
    edited(): void {
      editedAt = timing.now();
      if (stopEditing === null) becomeReader();
    },
    close(): void {
      stopEditing?.();
      stream.close();
    },
  };
}

function caughtUp(
  options: Pick<WorkspaceOptions, 'people' | 'onCommented'> & { readonly refresh: () => Promise<void> },
) {
  const refreshPeople = refreshOnRejoin(options.people);
  return () => {
    refreshPeople();
    options.onCommented(null);
    void options.refresh();
  };
}

/** Guests of a workspace see single pages, so its topic is not for them. */
const mayJoin = ({ role }: Workspace) => role !== null && role !== 'guest';
