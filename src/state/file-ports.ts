// Pictures and files as ports: where their bytes are stored, what this device keeps of them, and what a page sees of it.
import type { Cancel } from '../lib/cancel.ts';
import type { Result } from '../lib/result.ts';
import type { AttachmentVersion } from '../protocol/attachment.ts';
import type { FileProblem, WeftError } from '../protocol/errors.ts';
import type { AttachmentId, DocumentId } from '../protocol/ids.ts';

type Answer<T> = Promise<Result<T, WeftError>>;

export type AttachmentRef = { readonly document: DocumentId; readonly id: AttachmentId };

/** Bytes as they go to Storage, under the type they are stored as. */
export type FileVersion = { readonly version: AttachmentVersion; readonly blob: Blob };

/** Where bytes are stored. WF001 of a download: not there, or no right to see it. */
export interface FileStorage {
  /** Everything here repeats safely: what is there already stays as it is. */
  create(
    place: AttachmentRef,
    about: { readonly name: string; readonly mime: string; readonly bytes: number },
  ): Answer<void>;
  /** `progress` gets shares of 1. */
  upload(place: AttachmentRef, part: FileVersion, progress: (share: number) => void, signal: AbortSignal): Answer<void>;
  /** The right to see it, and every version of it, for another page. */
  copy(from: AttachmentRef, to: AttachmentRef): Answer<void>;
  /** Removes the bytes that nobody needs any more. */
  purge(): Answer<void>;
}

/** The stored bytes of one page: of a member's, or of the page behind a link. */
export interface FileSource {
  download(id: AttachmentId, version: AttachmentVersion): Answer<Blob>;
}

/** What waits on this device to be stored. */
export type QueuedFile = AttachmentRef & {
  /** Milliseconds since 1970. */
  readonly madeAt: number;
  readonly name: string;
  readonly mime: string;
  readonly bytes: number;
  /** Whose bytes it is a copy of; null: they lie on this device. */
  readonly from: AttachmentRef | null;
  /** Why the server will not have it; tried again only when a person says so. */
  readonly refused: WeftError['code'] | null;
};

/** What this device keeps of pictures and files. Rejects on a device that stores nothing. */
export interface FileCache {
  /** With its bytes in one write. */
  queue(file: QueuedFile, parts: readonly FileVersion[]): Promise<void>;
  /** The oldest first. */
  queued(): Promise<readonly QueuedFile[]>;
  get(id: AttachmentId): Promise<QueuedFile | null>;
  refuse(id: AttachmentId, code: WeftError['code'] | null): Promise<void>;
  /** It is stored, or nobody wants it: it waits no more. Its bytes stay to be shown. */
  unqueue(id: AttachmentId): Promise<void>;
  /** Of pictures that were shown or added here; null when they are not here. */
  read(id: AttachmentId, version: AttachmentVersion): Promise<Blob | null>;
  put(place: AttachmentRef, part: FileVersion): Promise<void>;
  /** That no other tab uploads it, until let go; null when one does. */
  lock(id: AttachmentId): Promise<Cancel | null>;
}

/** Turns what a person gave into what is stored; null: it cannot be read. */
export interface PictureMaker {
  make(file: Blob): Promise<{
    readonly width: number;
    readonly height: number;
    /** Smaller versions. */
    readonly parts: readonly FileVersion[];
  } | null>;
}

/** Addresses under which a page shows bytes; each is let go once. */
export interface ObjectUrls {
  create(blob: Blob): string;
  revoke(address: string): void;
}

export type UploadState = {
  readonly state: 'waiting' | 'sending' | 'failed';
  /** Of 1. */
  readonly share: number;
  /** Of a failure, in the catalogue's words. */
  readonly why: string | null;
};

/** How a picture or file stands, as a page shows it. */
export type FileView = {
  readonly state: 'loading' | 'here' | 'missing' | 'offline' | 'denied';
  /** Of its bytes, while `here`. Valid as long as somebody watches it. */
  readonly url: string | null;
  /** Of one that is added on this device; null: it is stored. */
  readonly upload: UploadState | null;
};

export type AddedFile =
  | {
      readonly kind: 'image';
      readonly id: AttachmentId;
      readonly name: string;
      readonly width: number;
      readonly height: number;
    }
  | {
      readonly kind: 'file';
      readonly id: AttachmentId;
      readonly name: string;
      readonly bytes: number;
      readonly mime: string;
    };

/** The pictures and files of one page. */
export interface PageFiles {
  /** Null: whoever looks on may not copy from here (a watcher by link). */
  readonly document: DocumentId | null;
  /** Calls when the view has changed, until cancelled. The bytes are fetched while somebody watches. */
  watch(
    id: AttachmentId,
    use: 'page' | 'full' | 'file',
    size: { readonly width: number; readonly height: number },
    run: (view: FileView) => void,
  ): Cancel;
  /** The whole file as it was added. */
  original(id: AttachmentId): Answer<Blob>;
}

/** Of a page that one may write. */
export interface WritableFiles extends PageFiles {
  /** Kept on this device when it resolves, and sent as soon as the server answers. */
  add(file: File): Promise<Result<AddedFile, FileProblem>>;
  /** Another page's file for this page: its new id here, at once. */
  copy(from: AttachmentRef, name: string): AttachmentId;
  /** It is not sent any more. */
  cancel(id: AttachmentId): void;
  retry(id: AttachmentId): void;
}
