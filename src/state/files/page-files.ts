// The pictures and files of one page. Shows them from this device if it has them, fetches them while somebody watches,
// and retries while their author is still uploading them.
import { backoffMs } from '../../lib/backoff.ts';
import type { Cancel } from '../../lib/cancel.ts';
import { randomUuid } from '../../lib/random-uuid.ts';
import { type Result, err, ok } from '../../lib/result.ts';
import {
  MAX_ATTACHMENT_BYTES,
  MAX_FILE_NAME,
  OTHER_TYPE,
  PICTURE_TYPES,
  type AttachmentVersion,
  versionsFor,
} from '../../protocol/attachment.ts';
import { type FileProblem, type WeftError, weftError } from '../../protocol/errors.ts';
import { type AttachmentId, type DocumentId, parseAttachmentId } from '../../protocol/ids.ts';
import type {
  AddedFile,
  ObjectUrls,
  FileCache,
  FileSource,
  FileView,
  PageFiles,
  PictureMaker,
  QueuedFile,
  WritableFiles,
} from '../file-ports.ts';
import type { Timing } from '../offline/cached-list.ts';
import type { Store } from '../store.ts';
import type { Uploads } from './uploads.ts';

type ShownFile = {
  readonly id: AttachmentId;
  readonly versions: readonly AttachmentVersion[];
  readonly watchers: Set<(view: FileView) => void>;
  view: FileView;
  isLoading: boolean;
  tries: number;
  stopRetry: Cancel | null;
};

const LOADING: FileView = { state: 'loading', url: null, upload: null };
/** A picture that scrolls out of view and back is not fetched again. */
const LINGERS_MS = 5_000;

export type OpenPageFiles = PageFiles & {
  /** The network or the sign-in is back: try again now. */
  readonly retryLoading: () => void;
  readonly close: () => void;
};

type LoadingPorts = {
  readonly source: FileSource;
  readonly objectUrls: ObjectUrls;
  readonly timing: Timing;
};
type MemberPorts = LoadingPorts & {
  readonly document: DocumentId;
  readonly fileCache: FileCache;
  readonly uploads: Uploads;
  readonly store: Store;
  readonly maker: PictureMaker;
};

/** For a visitor with a link. Nothing is cached on the device. */
export const watchedFiles = (parts: LoadingPorts): OpenPageFiles => shownFiles(parts, null);

export function pageFiles(own: MemberPorts): OpenPageFiles & WritableFiles {
  const { document, uploads, timing } = own;
  const queued = (id: AttachmentId, about: { readonly name: string; readonly mime: string; readonly bytes: number }) =>
    ({ ...about, document, id, madeAt: timing.now(), from: null, refused: null }) satisfies QueuedFile;
  return {
    ...shownFiles(own, own),
    async add(file): Promise<Result<AddedFile, FileProblem>> {
      if (file.size > MAX_ATTACHMENT_BYTES) return err('tooLarge');
      // Read it at once: the file may be gone or changed a moment later.
      const data = await file.arrayBuffer().catch(() => null);
      if (data === null) return err('unreadable');
      const mime = /^[!-~]+\/[!-~]+$/.test(file.type) ? file.type : OTHER_TYPE;
      const isPicture = PICTURE_TYPES.includes(mime);
      const blob = new Blob([data], { type: isPicture ? mime : OTHER_TYPE });
      const picture = isPicture ? await own.maker.make(blob) : null;
      const stored = picture === null ? blob.slice(0, blob.size, OTHER_TYPE) : blob;
      const id = newId();
      const about = { name: nameOf(file.name), mime, bytes: file.size };
      const parts = [...(picture?.parts ?? []), { version: 'original' as const, blob: stored }];
      if (!(await uploads.add(queued(id, about), parts))) return err('full');
      return ok(
        picture === null
          ? { kind: 'file', id, ...about }
          : { kind: 'image', id, name: about.name, width: picture.width, height: picture.height },
      );
    },
    copy(from, name) {
      const id = newId();
      // The server knows the type and size from the source.
      const about = { name: nameOf(name), mime: OTHER_TYPE, bytes: 0 };
      void uploads.add({ ...queued(id, about), from }, []);
      return id;
    },
    cancel: uploads.cancel,
    retry: uploads.retry,
  };
}

function newId(): AttachmentId {
  const id = parseAttachmentId(randomUuid());
  if (id === null) throw new Error('not a uuid');
  return id;
}

/** The name as the database accepts it. */
const nameOf = (name: string): string =>
  Array.from(name.replaceAll(/\p{Cc}+/gu, ' ').trim())
    .slice(0, MAX_FILE_NAME)
    .join('') || 'File';

function shownFiles({ source, objectUrls: addresses, timing }: LoadingPorts, own: MemberPorts | null): OpenPageFiles {
  /** By id and purpose. */
  const shown = new Map<string, ShownFile>();
  let isClosed = false;

  const show = (one: ShownFile, change: Partial<FileView>) => {
    const upload = own?.store.get(own.uploads.atom).get(one.id) ?? null;
    one.view = { ...one.view, ...change, upload: upload && pick(upload) };
    for (const run of [...one.watchers]) run(one.view);
  };

  const load = async (key: string, one: ShownFile): Promise<void> => {
    if (one.isLoading || one.versions.length === 0 || one.view.state === 'here') return;
    one.isLoading = true;
    one.stopRetry?.();
    const got = await find(one);
    one.isLoading = false;
    if (isClosed || shown.get(key) !== one) return;
    if (got.ok) return show(one, { state: 'here', url: addresses.create(got.value) });
    const { code } = got.error;
    const state = code === 'WF001' ? 'missing' : code === 'WF009' ? 'denied' : 'offline';
    show(one, { state });
    if (state === 'denied') return;
    one.tries += 1;
    one.stopRetry = timing.after(backoffMs(one.tries, timing.random()) + 500, () => void load(key, one));
  };

  const find = async ({ id, versions }: ShownFile): Promise<Result<Blob, WeftError>> => {
    for (const version of versions) {
      const kept = await own?.fileCache.read(id, version).catch(() => null);
      if (kept != null) return ok(kept);
    }
    // A pending copy of another page's file: its bytes are not there yet.
    if (own?.store.get(own.uploads.atom).has(id) === true) return err(weftError('WF001'));
    let last: Result<Blob, WeftError> = err(weftError('WF001'));
    for (const version of versions) {
      last = await source.download(id, version);
      if (last.ok && own !== null) {
        void own.fileCache.put({ document: own.document, id }, { version, blob: last.value }).catch(() => undefined);
      }
      if (last.ok || last.error.code !== 'WF001') return last;
    }
    return last;
  };

  const stopFollowing = own?.store.sub(own.uploads.atom, () => {
    const all = own.store.get(own.uploads.atom);
    for (const [key, one] of shown) {
      const upload = all.get(one.id);
      if (upload === undefined && one.view.upload === null) continue;
      if (upload !== undefined && isSame(one.view.upload, upload)) continue;
      show(one, {});
      if (upload === undefined && one.view.state !== 'here') {
        one.tries = 0;
        void load(key, one);
      }
    }
  });

  const forget = (key: string, one: ShownFile) => {
    one.stopRetry?.();
    if (one.view.url !== null) addresses.revoke(one.view.url);
    shown.delete(key);
  };

  return {
    document: own?.document ?? null,
    watch(id, use, { width, height }, run) {
      const key = `${use}:${id}`;
      const versions = use === 'file' ? [] : versionsFor(use, width, height);
      const view: FileView = { ...LOADING, state: use === 'file' ? 'here' : 'loading' };
      const made: ShownFile = { id, versions, watchers: new Set(), view, isLoading: false, tries: 0, stopRetry: null };
      const one = shown.get(key) ?? made;
      shown.set(key, one);
      one.watchers.add(run);
      if (one === made) show(one, {});
      else run(one.view);
      void load(key, one);
      let isWatching = true;
      return () => {
        if (!isWatching) return;
        isWatching = false;
        one.watchers.delete(run);
        timing.after(LINGERS_MS, () => {
          if (one.watchers.size === 0 && shown.get(key) === one) forget(key, one);
        });
      };
    },
    async original(id) {
      const kept = await own?.fileCache.read(id, 'original').catch(() => null);
      return kept == null ? source.download(id, 'original') : ok(kept);
    },
    retryLoading() {
      for (const [key, one] of shown) {
        one.tries = 0;
        void load(key, one);
      }
    },
    close() {
      isClosed = true;
      stopFollowing?.();
      for (const [key, one] of shown) forget(key, one);
    },
  };
}

const pick = ({ state, share, why }: NonNullable<FileView['upload']>): NonNullable<FileView['upload']> => ({
  state,
  share,
  why,
});

const isSame = (a: FileView['upload'], b: NonNullable<FileView['upload']>): boolean =>
  a !== null && a.state === b.state && a.share === b.share && a.why === b.why;
