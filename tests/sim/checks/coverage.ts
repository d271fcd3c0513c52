// Counts what really happened in simulated worlds, and says how often each must happen at least: a fault that never takes
// effect proves nothing.

/** The floors count for this many seeds. */
export const FLOORS_FOR_SEEDS = 200;

/** The events that are counted, each with the smallest count that is enough. */
export const FLOORS = {
  // calls
  'request lost': 500,
  'answer lost': 500,
  'executed after the caller gave up': 150,
  'answered WF003 (token expired)': 50,
  'answered WF008 (429)': 50,
  // messages
  'message dropped': 3_000,
  'message doubled': 600,
  'message delayed': 600,
  'message out of order': 1_000,
  'broadcast lost by the server': 200,
  'presence late': 500,
  'presence wrong': 100,
  'presence refused': 100,
  // channels
  'join refused': 60,
  'join timed out': 30,
  phx_close: 200,
  'closed for too many messages': 20,
  'closed by an expired token': 50,
  // partitions
  'cut off from everything': 150,
  'cut off from Realtime alone': 150,
  'cut off from HTTP alone': 150,
  'server away': 60,
  'join without a connection': 150,
  // tabs
  'tab killed': 150,
  'tab killed with unsaved edits': 60,
  'write lost with its tab': 30,
  'tab opened later': 150,
  'tab frozen with its lock': 60,
  'tab frozen without its lock': 60,
  'tab hidden': 150,
  'remote changes paused': 500,
  'store failed': 60,
  // rights
  'person removed': 40,
  'editor made viewer': 25,
  'role restored': 30,
  'topic moved': 30,
  'damaged row': 20,
  snapshot: 60,
  'rows compacted': 240,
  'passage erased': 60,
  'watch link revoked': 20,
  'reader on the view topic': 30,
  // presenting, without that of the probes
  'place presented': 130,
  'presenter followed': 80,
  'presenting stopped': 20,
  'presenting while another does': 80,
  // probes
  'probe of heads': 80,
  'probe of a late join': 100,
  'probe of the copied text': 120,
  'probe of an outage': 100,
  'probe of an erasure': 40,
  'probe of a presenter': 80,
  'probe of a switch to the view topic': 20,
  // consequences
  'concurrent append': 2_000,
  'edit in the hot spot': 5_000,
  'edit that only deletes': 2_000,
  'map key set or deleted': 1_500,
  'block edit': 5_000,
  undo: 200,
  'repeated range': 60,
  'answer too full': 40,
  'overlapping range': 50,
  'outbox sent by another tab': 60,
  'append of a page being hidden': 60,
  'refused for lack of a right': 50,
} as const;

/** Kinds of worlds whose server goes back in time. */
export const GOING_BACK_FLOORS = {
  'server went back': 150,
  'final restore': 15,
  'started anew': 400,
  'put back': 150,
} as const;

/** Kinds that need live updates. */
export const LIVE_UPDATE_FLOORS = {
  'live update with text': 4_000,
  'row with dependencies': 300,
  dependency: 700,
  relay: 100,
  'document rebuilt': 30,
  'probe of unsaved edits': 80,
  'probe of a late cause': 80,
  'revoked in the middle of a word': 80,
  'probe of a new editor': 80,
  'probe of too many messages': 60,
  'probe of a lost row': 60,
  'dependency of a revoked author': 20,
} as const;

export type Kind = keyof typeof FLOORS | keyof typeof LIVE_UPDATE_FLOORS | keyof typeof GOING_BACK_FLOORS;
const KINDS: readonly Kind[] = [...keysOf(FLOORS), ...keysOf(LIVE_UPDATE_FLOORS), ...keysOf(GOING_BACK_FLOORS)];
export const isKind = (text: string): text is Kind => KINDS.some((kind) => kind === text);

export class Coverage {
  readonly #counts = new Map<Kind, number>();

  count(kind: Kind, times = 1): void {
    this.#counts.set(kind, this.of(kind) + times);
  }

  of(kind: Kind): number {
    return this.#counts.get(kind) ?? 0;
  }

  add(other: Coverage): void {
    for (const kind of KINDS) this.count(kind, other.of(kind));
  }

  /** The counts by kind. */
  toJSON(): Readonly<Record<string, number>> {
    return Object.fromEntries(KINDS.map((kind) => [kind, this.of(kind)]));
  }

  /** One line for each kind that stayed below its floor in this many seeds. */
  tooRare(
    seeds: number,
    { goesBack = false, liveUpdates }: { readonly goesBack?: boolean; readonly liveUpdates: boolean },
  ): readonly string[] {
    const floors: Readonly<Record<string, number>> = goesBack
      ? GOING_BACK_FLOORS
      : { ...FLOORS, ...(liveUpdates ? LIVE_UPDATE_FLOORS : {}) };
    return KINDS.flatMap((kind) => {
      const floor = ((floors[kind] ?? 0) * seeds) / FLOORS_FOR_SEEDS;
      return this.of(kind) < floor ? [`${kind}: ${this.of(kind)}, at least ${Math.ceil(floor)}`] : [];
    });
  }
}

function keysOf<T extends object>(record: T): readonly (keyof T & string)[] {
  const keys: (keyof T & string)[] = [];
  for (const key in record) keys.push(key);
  return keys;
}
