// Uploads the waiting files as soon as the server answers, two at a time.
import { isTemporary, weftError } from 'weft-sync/protocol/errors.ts';
import { RetryTimer } from '../../lib/async/retry-timer.ts';
import type { QueuedFile, UploadState } from '../../ports/files.ts';
import type { AttachmentId } from '../../protocol/ids.ts';
import { textOf } from '../../texts/error-texts.ts';
import { FILE_TEXTS } from '../../texts/file-texts.ts';
import type { Timing } from '../offline/cached-list.ts';
import type { MapAtom } from '../offline/map-atom.ts';
import { type UploadOutcome, type UploadPorts, uploadFile } from './upload-file.ts';

const MAX_AT_ONCE = 2;
/** Another tab is uploading it: check again later whether it is done. */
const RECHECK_MS = 1_000;

export type UploadEntry = UploadState & { readonly file: QueuedFile };

export const waitingOrFailed = (file: QueuedFile): UploadEntry => {
  const { refused } = file;
  if (refused === null) return { state: 'waiting', fraction: 0, why: null, file };
  const why = refused === 'unknown' ? FILE_TEXTS.failed : textOf(weftError(refused));
  return { state: 'failed', fraction: 0, why, file };
};

export type UploadSenderOptions = UploadPorts & {
  readonly entries: MapAtom<AttachmentId, UploadEntry>;
  readonly timing: Timing;
  /** Runs when this tab has changed the queue: other tabs should know. */
  readonly onChanged: () => void;
};

export function uploadSender(options: UploadSenderOptions) {
  const { entries, timing } = options;
  const sending = new Map<AttachmentId, AbortController>();
  /** Uploads that wait for their next try: the last one failed, or another tab is uploading the file. */
  const paused = new Set<AttachmentId>();
  const retries = new RetryTimer(timing, () => sendAll());
  let isClosed = false;

  const send = async (file: QueuedFile): Promise<void> => {
    const abort = new AbortController();
    sending.set(file.id, abort);
    const outcome = await uploadFile(options, file, abort.signal, (fraction) => {
      if (!abort.signal.aborted) entries.set(file.id, { state: 'sending', fraction, why: null, file });
    });
    sending.delete(file.id);
    if (!abort.signal.aborted) settle(file, outcome);
  };

  const settle = (file: QueuedFile, outcome: UploadOutcome) => {
    if (outcome === 'elsewhere') {
      paused.add(file.id);
      timing.after(RECHECK_MS, () => resume(file.id));
    } else if (outcome === 'uploaded' || outcome === 'gone') {
      if (outcome === 'uploaded') {
        retries.succeeded();
        options.onChanged();
      }
      entries.delete(file.id);
    } else if (isTemporary(outcome)) {
      entries.set(file.id, waitingOrFailed(file));
      paused.add(file.id);
      // Only a new sign-in helps, and it retries at once.
      if (outcome.code !== 'WF003' && !retries.isWaiting) retries.failed();
    } else {
      entries.set(file.id, waitingOrFailed({ ...file, refused: outcome.code }));
    }
  };

  const sendNext = () => {
    if (isClosed) return;
    while (sending.size < MAX_AT_ONCE) {
      const next = Array.from(entries.all.values()).find(
        ({ file, state }) => state === 'waiting' && !paused.has(file.id) && !sending.has(file.id),
      );
      if (next === undefined) return;
      void send(next.file).then(sendNext);
    }
  };
  const resume = (id: AttachmentId) => {
    paused.delete(id);
    sendNext();
  };
  const sendAll = () => {
    retries.cancel();
    paused.clear();
    sendNext();
  };

  return {
    sendNext,
    /** Does not wait for the next try of those that failed. */
    sendAll,
    resume,
    stop: (id: AttachmentId) => sending.get(id)?.abort(),
    close() {
      isClosed = true;
      retries.cancel();
      for (const abort of sending.values()) abort.abort();
    },
  };
}
