// The ports for pictures and files: remote storage, the cache on this device, and what a page sees.
import type { WeftError } from 'weft-sync/protocol/errors.ts';
import type { DocumentId } from 'weft-sync/protocol/ids.ts';
import type { Cancel } from '../lib/cancel.ts';
import type { Result } from '../lib/result.ts';
import type { AttachmentVersion } from '../protocol/attachment.ts';
import type { FileProblem } from '../protocol/errors.ts';
import type { AttachmentId } from '../protocol/ids.ts';
import type { Answer } from './answer.ts';

export type AttachmentRef = { readonly document: DocumentId; readonly id: AttachmentId };

/** Bytes as they are uploaded, with the type they are stored under. */
export type FileVersion = { readonly version: AttachmentVersion; readonly blob: Blob };

/** Remote storage. Every call is safe to repeat: what exists already stays as it is. */
export interface FileStorage {
  /** Registers a file, before its upload. */
  create(
    ref: AttachmentRef,
    about: { readonly name: string; readonly mime: string; readonly bytes: number; readonly isOfComment?: boolean },
  ): Answer<void>;
  /** `progress` receives a fraction from 0 to 1. */
  upload(
    ref: AttachmentRef,
    part: FileVersion,
    progress: (fraction: number) => void,
    signal: AbortSignal,
  ): Answer<void>;
  /** Copies the file in all its versions for another page. */
  copy(from: AttachmentRef, to: AttachmentRef): Answer<void>;
  /** Deletes files that no page uses any more. */
  purge(): Answer<void>;
}

/**
 * The stored files of one page, for a member or for a visitor with a link. A download fails with WF001 if the file does
 * not exist or may not be seen.
 */
export interface FileSource {
  download(id: AttachmentId, version: AttachmentVersion): Answer<Blob>;
}

/** A file that waits for its upload. */
export type QueuedFile = AttachmentRef & {
  /** Milliseconds since 1970. */
  readonly madeAt: number;
  readonly name: string;
  readonly mime: string;
  readonly bytes: number;
  /** The attachment this is a copy of. Null if its bytes are on this device. */
  readonly from: AttachmentRef | null;
  /** It belongs to a comment, not to the page's text: other people may add and see it. */
  readonly isOfComment?: boolean;
  /** Why the server rejected it. Retried only if the person asks for it. */
  readonly refused: WeftError['code'] | null;
};

/** The pictures and files on this device. Rejects if the device stores nothing. */
export interface FileCache {
  /** Stores the file and its bytes in one write. */
  queue(file: QueuedFile, parts: readonly FileVersion[]): Promise<void>;
  /** Oldest first. */
  queued(): Promise<readonly QueuedFile[]>;
  get(id: AttachmentId): Promise<QueuedFile | null>;
  refuse(id: AttachmentId, code: WeftError['code'] | null): Promise<void>;
  /** Removes the file from the queue, because it is uploaded or unwanted. Its bytes stay in the cache, unless it is a comment's. */
  unqueue(id: AttachmentId): Promise<void>;
  /** The bytes of a picture that was shown or added here, or null. */
  read(id: AttachmentId, version: AttachmentVersion): Promise<Blob | null>;
  put(ref: AttachmentRef, part: FileVersion): Promise<void>;
  /** The files of a page whose originals are here. */
  originalsOf(document: DocumentId): Promise<readonly AttachmentId[]>;
  /** Prevents other tabs from uploading it until released. Null if another tab is doing so. */
  lock(id: AttachmentId): Promise<Cancel | null>;
}

/** Makes the smaller versions of a picture. Null if the browser cannot decode it, or if it has too many pixels. */
export interface PictureMaker {
  make(file: Blob): Promise<{
    readonly width: number;
    readonly height: number;
    /** The smaller versions. */
    readonly parts: readonly FileVersion[];
  } | null>;
}

/** URLs under which a page shows pictures. Revoke each one once. */
export interface ObjectUrls {
  /** Null if the bytes are no picture, or one with too many pixels to draw. */
  create(blob: Blob): Promise<string | null>;
  revoke(address: string): void;
}

export type UploadState = {
  readonly state: 'waiting' | 'sending' | 'failed';
  /** From 0 to 1. */
  readonly fraction: number;
  /** Why it failed, in the catalogue's words. */
  readonly why: string | null;
};

/** The state of a picture or file as a page shows it. */
export type FileView = {
  readonly state: 'loading' | 'here' | 'missing' | 'offline' | 'denied' | 'undrawable';
  /** URL of the bytes, while `here`. Valid as long as someone watches it. */
  readonly url: string | null;
  /** Progress of a file added on this device. Null once it is uploaded. */
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
  /** Null if the viewer may not copy files from here (a visitor with a link). */
  readonly document: DocumentId | null;
  /**
   * Runs the callback on every change until cancelled. The bytes are only fetched while someone watches. `use`: drawn in the
   * page, enlarged, or not drawn. `size`: that of the original picture (px; 0: unknown), which says what smaller versions exist.
   */
  watch(
    id: AttachmentId,
    use: 'page' | 'full' | 'file',
    size: { readonly width: number; readonly height: number },
    run: (view: FileView) => void,
  ): Cancel;
  /** The whole file as it was added. */
  original(id: AttachmentId): Answer<Blob>;
}

/** The files of a page that the person may edit. */
export interface WritableFiles extends PageFiles {
  /** The file is stored on this device when this resolves, and uploaded as soon as the server answers. */
  add(file: File): Promise<Result<AddedFile, FileProblem>>;
  /** Copies another page's file to this page. Returns the new id at once. */
  copy(from: AttachmentRef, name: string): AttachmentId;
  /** Cancels the upload. */
  cancel(id: AttachmentId): void;
  retry(id: AttachmentId): void;
}
