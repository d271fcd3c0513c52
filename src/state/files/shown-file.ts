// One picture or file as a page shows it. Its bytes come from this device if it has them, else from the server, which is asked
// again while it does not answer or does not have them: their author may still be uploading them.
import { type WeftError, weftError } from 'weft-sync/protocol/errors.ts';
import type { DocumentId } from 'weft-sync/protocol/ids.ts';
import { RetryTimer } from '../../lib/async/retry-timer.ts';
import type { Cancel } from '../../lib/cancel.ts';
import { type Result, err, ok } from '../../lib/result.ts';
import type { FileCache, FileSource, FileView, ObjectUrls } from '../../ports/files.ts';
import type { AttachmentVersion } from '../../protocol/attachment.ts';
import type { AttachmentId } from '../../protocol/ids.ts';
import type { Timing } from '../offline/cached-list.ts';
import type { AtomStore } from '../store.ts';
import type { Uploads } from './uploads.ts';

export type LoadingPorts = {
  readonly source: FileSource;
  readonly objectUrls: ObjectUrls;
  readonly timing: Timing;
};

export type DevicePorts = {
  readonly document: DocumentId;
  readonly fileCache: FileCache;
  readonly uploads: Uploads;
  readonly store: AtomStore;
};

export class ShownFile {
  readonly #ports: LoadingPorts;
  /** Null for a visitor with a link. */
  readonly #device: DevicePorts | null;
  readonly #id: AttachmentId;
  readonly #versions: readonly AttachmentVersion[];
  readonly #watchers = new Set<(view: FileView) => void>();
  readonly #retries: RetryTimer;
  #view: FileView;
  #isLoading = false;
  #isClosed = false;

  /** The first of `versions` that exists is shown. Without any, nothing is loaded. */
  constructor(
    ports: LoadingPorts,
    device: DevicePorts | null,
    id: AttachmentId,
    versions: readonly AttachmentVersion[],
  ) {
    this.#ports = ports;
    this.#device = device;
    this.#id = id;
    this.#versions = versions;
    this.#retries = new RetryTimer(ports.timing, () => void this.#load());
    this.#view = { state: versions.length === 0 ? 'here' : 'loading', url: null, upload: this.#upload() };
  }

  get isWatched(): boolean {
    return this.#watchers.size > 0;
  }

  watch(run: (view: FileView) => void): Cancel {
    this.#watchers.add(run);
    run(this.#view);
    void this.#load();
    return () => this.#watchers.delete(run);
  }

  /** Does not wait for the next try. */
  retryNow(): void {
    this.#retries.succeeded();
    void this.#load();
  }

  /** An upload has changed, perhaps that of another file. */
  uploadsChanged(): void {
    const upload = this.#upload();
    if (isSame(this.#view.upload, upload)) return;
    this.#show({});
    if (upload === null) this.retryNow();
  }

  close(): void {
    this.#isClosed = true;
    this.#retries.cancel();
    if (this.#view.url !== null) this.#ports.objectUrls.revoke(this.#view.url);
  }

  #upload(): FileView['upload'] {
    const entry = this.#device?.store.get(this.#device.uploads.atom).get(this.#id);
    return entry === undefined ? null : { state: entry.state, fraction: entry.fraction, why: entry.why };
  }

  #show(change: Partial<FileView>): void {
    this.#view = { ...this.#view, ...change, upload: this.#upload() };
    for (const run of [...this.#watchers]) run(this.#view);
  }

  async #load(): Promise<void> {
    const { state: before } = this.#view;
    // The bytes are here, so there is nothing more to load.
    if (this.#isLoading || before === 'here' || before === 'undrawable') return;
    this.#isLoading = true;
    this.#retries.cancel();
    const { objectUrls } = this.#ports;
    const found = await this.#find();
    const url = found.ok ? await objectUrls.create(found.value) : null;
    this.#isLoading = false;
    if (this.#isClosed) {
      if (url !== null) objectUrls.revoke(url);
      return;
    }
    if (found.ok) return this.#show({ state: url === null ? 'undrawable' : 'here', url });
    const { code } = found.error;
    const state = code === 'WF001' ? 'missing' : code === 'WF009' ? 'denied' : 'offline';
    this.#show({ state });
    if (state !== 'denied') this.#retries.failed(500);
  }

  async #find(): Promise<Result<Blob, WeftError>> {
    for (const version of this.#versions) {
      const cached = await this.#device?.fileCache.read(this.#id, version).catch(() => null);
      if (cached != null) return ok(cached);
    }
    let last: Result<Blob, WeftError> = err(weftError('WF001'));
    // It waits for its upload, or is the pending copy of another page's file: the server does not have the bytes yet.
    if (this.#upload() !== null) return last;
    for (const version of this.#versions) {
      last = await this.#ports.source.download(this.#id, version);
      if (last.ok) this.#cache(version, last.value);
      if (last.ok || last.error.code !== 'WF001') return last;
    }
    return last;
  }

  #cache(version: AttachmentVersion, blob: Blob): void {
    if (this.#device === null) return;
    const { document, fileCache } = this.#device;
    void fileCache.put({ document, id: this.#id }, { version, blob }).catch(() => undefined);
  }
}

const isSame = (a: FileView['upload'], b: FileView['upload']): boolean =>
  a?.state === b?.state && a?.fraction === b?.fraction && a?.why === b?.why;
