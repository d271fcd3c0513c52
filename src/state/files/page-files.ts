// The pictures and files of one page. Shows them from this device if it has them, fetches them while someone watches,
// and retries while their author is still uploading them.
import { backoffMs } from '../../lib/async/backoff.ts';
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
} from '../../ports/files.ts';
import type { Timing } from '../offline/cached-list.ts';
import type { AtomStore } from '../store.ts';
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
/** A picture whose element is drawn anew, such as when its block is moved, is not fetched again. */
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
  readonly store: AtomStore;
  readonly maker: PictureMaker;
};

/** The files of a page for a visitor with a link. Nothing is cached on the device. */
export const watchedFiles = (parts: LoadingPorts): OpenPageFiles => shownFiles(parts, null);

export type PersonPageFiles = OpenPageFiles & WritableFiles;

export function pageFiles(member: MemberPorts): PersonPageFiles {
  const { document, uploads, timing } = member;
  const queued = (id: AttachmentId, about: { readonly name: string; readonly mime: string; readonly bytes: number }) =>
    ({ ...about, document, id, madeAt: timing.now(), from: null, refused: null }) satisfies QueuedFile;
  return {
    ...shownFiles(member, member),
    async add(file): Promise<Result<AddedFile, FileProblem>> {
      if (file.size > MAX_ATTACHMENT_BYTES) return err('tooLarge');
      // Read it at once: the file may be gone or changed a moment later.
      const data = await file.arrayBuffer().catch(() => null);
      if (data === null) return err('unreadable');
      const mime = /^[!-~]+\/[!-~]+$/.test(file.type) ? file.type : OTHER_TYPE;
      const isPicture = PICTURE_TYPES.includes(mime);
      const blob = new Blob([data], { type: isPicture ? mime : OTHER_TYPE });
      const picture = isPicture ? await member.maker.make(blob) : null;
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

function shownFiles({ source, objectUrls, timing }: LoadingPorts, member: MemberPorts | null): OpenPageFiles {
  /** By id and purpose. */
  const shown = new Map<string, ShownFile>();
  let isClosed = false;

  const show = (file: ShownFile, change: Partial<FileView>) => {
    const upload = member?.store.get(member.uploads.atom).get(file.id) ?? null;
    file.view = { ...file.view, ...change, upload: upload && pick(upload) };
    for (const run of [...file.watchers]) run(file.view);
  };

  const load = async (key: string, file: ShownFile): Promise<void> => {
    if (file.isLoading || file.versions.length === 0 || isSettled(file.view)) return;
    file.isLoading = true;
    file.stopRetry?.();
    const got = await find(file);
    const url = got.ok ? await objectUrls.create(got.value) : null;
    file.isLoading = false;
    if (isClosed || shown.get(key) !== file) {
      if (url !== null) objectUrls.revoke(url);
      return;
    }
    if (got.ok) return show(file, { state: url === null ? 'undrawable' : 'here', url });
    const { code } = got.error;
    const state = code === 'WF001' ? 'missing' : code === 'WF009' ? 'denied' : 'offline';
    show(file, { state });
    if (state === 'denied') return;
    file.tries += 1;
    file.stopRetry = timing.after(backoffMs(file.tries, timing.random()) + 500, () => void load(key, file));
  };

  const find = async ({ id, versions }: ShownFile): Promise<Result<Blob, WeftError>> => {
    for (const version of versions) {
      const cached = await member?.fileCache.read(id, version).catch(() => null);
      if (cached != null) return ok(cached);
    }
    // A pending copy of another page's file: its bytes are not there yet.
    if (member?.store.get(member.uploads.atom).has(id) === true) return err(weftError('WF001'));
    let last: Result<Blob, WeftError> = err(weftError('WF001'));
    for (const version of versions) {
      last = await source.download(id, version);
      if (last.ok && member !== null) {
        void member.fileCache
          .put({ document: member.document, id }, { version, blob: last.value })
          .catch(() => undefined);
      }
      if (last.ok || last.error.code !== 'WF001') return last;
    }
    return last;
  };

  const stopWatchingUploads = member?.store.sub(member.uploads.atom, () => {
    const all = member.store.get(member.uploads.atom);
    for (const [key, file] of shown) {
      const upload = all.get(file.id);
      if (upload === undefined && file.view.upload === null) continue;
      if (upload !== undefined && isSame(file.view.upload, upload)) continue;
      show(file, {});
      if (upload === undefined && !isSettled(file.view)) {
        file.tries = 0;
        void load(key, file);
      }
    }
  });

  const forget = (key: string, file: ShownFile) => {
    file.stopRetry?.();
    if (file.view.url !== null) objectUrls.revoke(file.view.url);
    shown.delete(key);
  };

  return {
    document: member?.document ?? null,
    watch(id, use, { width, height }, run) {
      const key = `${use}:${id}`;
      const versions = use === 'file' ? [] : versionsFor(use, width, height);
      const view: FileView = { ...LOADING, state: use === 'file' ? 'here' : 'loading' };
      const entry: ShownFile = { id, versions, watchers: new Set(), view, isLoading: false, tries: 0, stopRetry: null };
      const file = shown.get(key) ?? entry;
      shown.set(key, file);
      file.watchers.add(run);
      if (file === entry) show(file, {});
      else run(file.view);
      void load(key, file);
      let isWatching = true;
      return () => {
        if (!isWatching) return;
        isWatching = false;
        file.watchers.delete(run);
        timing.after(LINGERS_MS, () => {
          if (file.watchers.size === 0 && shown.get(key) === file) forget(key, file);
        });
      };
    },
    async original(id) {
      const cached = await member?.fileCache.read(id, 'original').catch(() => null);
      return cached == null ? source.download(id, 'original') : ok(cached);
    },
    retryLoading() {
      for (const [key, file] of shown) {
        file.tries = 0;
        void load(key, file);
      }
    },
    close() {
      isClosed = true;
      stopWatchingUploads?.();
      for (const [key, file] of shown) forget(key, file);
    },
  };
}

/** The bytes are here, so there is nothing more to load. */
const isSettled = ({ state }: FileView): boolean => state === 'here' || state === 'undrawable';

const pick = ({ state, fraction, why }: NonNullable<FileView['upload']>): NonNullable<FileView['upload']> => ({
  state,
  fraction,
  why,
});

const isSame = (a: FileView['upload'], b: NonNullable<FileView['upload']>): boolean =>
  a !== null && a.state === b.state && a.fraction === b.fraction && a.why === b.why;
