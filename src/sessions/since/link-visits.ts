// Remembers what a watcher by link saw, and finds out what changed since they were here last.
import type { WatchLog } from 'weft-sync/ports.ts';
import type { LinkSecret } from 'weft-sync/protocol/ids.ts';
import type { LinkWatch } from 'weft-sync/session/session-api.ts';
import * as Y from 'yjs';
import type { Cancel } from '../../lib/cancel.ts';
import type { SeenByLink, SeenPage } from '../../platform/browser/storage/seen-by-link.ts';
import type { ChangesSince } from '../../ports/changes.ts';
import { whileVisible } from '../../ui/browser/while-visible.ts';
import { linkChangesSince } from './changes-since.ts';

/** A page that is open only for a moment was not read. */
const SAVE_AFTER_MS = 2_000;
const SAVE_EVERY_MS = 15_000;
/** Encoding a larger page takes longer than a frame. */
const MAX_STRUCTS = 100_000;

type Ports = {
  readonly seen: SeenByLink;
  readonly watchLog: WatchLog;
  readonly clock: { readonly now: () => number; readonly after: (ms: number, run: () => void) => Cancel };
  readonly fromServer: (at: number) => number;
};

export function compareWithLastVisit(
  secret: LinkSecret,
  watch: LinkWatch,
  onChanges: (changes: ChangesSince) => void,
  { seen, watchLog, clock, fromServer }: Ports,
): Cancel {
  let isStopped = false;
  let savedSeq = 0;
  let savedRebuilds = 0;
  let timer: Cancel | null = null;
  const save = async () => {
    const { shownSeq: seq, shownAt, doc } = watch;
    const { phase, rebuilds } = watch.getView();
    // The stored copy keeps no word that was erased.
    const isNew = seq > savedSeq || rebuilds !== savedRebuilds;
    const isWhole = phase === 'live';
    if (isStopped || !isNew || !isWhole || structsOf(doc) > MAX_STRUCTS) return;
    savedSeq = seq;
    savedRebuilds = rebuilds;
    await seen.save(secret, {
      seq,
      rowAt: shownAt,
      at: clock.now(),
      state: new Uint8Array(Y.encodeStateAsUpdateV2(doc)),
    });
    // The link may have ended while this was stored.
    if (watch.getView().phase === 'ended') await seen.forget(secret);
  };
  const saveIn = (ms: number) => {
    timer ??= clock.after(ms, () => {
      timer = null;
      void save();
    });
  };
  /** While someone may be reading. */
  const saveWhatIsSeen = () => {
    saveIn(SAVE_AFTER_MS);
    const stopWatching = watch.subscribe(() => saveIn(SAVE_EVERY_MS));
    return () => {
      stopWatching();
      timer?.();
      timer = null;
    };
  };
  let stopSaving: Cancel = () => undefined;
  const last: { page: SeenPage | null; isKnown: boolean } = { page: null, isKnown: false };
  /** Reports the changes since the visit, once the page is here as a whole. */
  const compare = async () => {
    const { page } = last;
    const { phase } = watch.getView();
    if (phase === 'ended') {
      stop();
      return void seen.forget(secret);
    }
    if (isStopped || !last.isKnown || phase === 'opening' || phase === 'failed') return;
    last.isKnown = false;
    stopSaving = whileVisible(saveWhatIsSeen);
    if (page === null || watch.shownSeq <= page.seq) return;
    const changes = await linkChangesSince(secret, page, { watchLog, fromServer });
    if (!isStopped && changes !== null) onChanges(changes);
  };
  const unsubscribe = watch.subscribe(() => void compare());
  const stop = () => {
    isStopped = true;
    stopSaving();
    unsubscribe();
  };
  // Read before anything is written.
  void seen.load(secret).then((page) => {
    last.page = page;
    last.isKnown = true;
    void compare();
  });
  return stop;
}

const structsOf = (doc: Y.Doc): number =>
  Array.from(doc.store.clients.values()).reduce((sum, structs) => sum + structs.length, 0);
