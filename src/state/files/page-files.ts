// The pictures and files of one page, fetched while a view watches them, and those that the person adds to it.
import { type Result, err, ok } from '../../lib/result.ts';
import type { AddedFile, PageFiles, PictureMaker, QueuedFile, WritableFiles } from '../../ports/files.ts';
import {
  MAX_ATTACHMENT_BYTES,
  MAX_FILE_NAME,
  OTHER_TYPE,
  PICTURE_TYPES,
  versionsFor,
} from '../../protocol/attachment.ts';
import type { FileProblem } from '../../protocol/errors.ts';
import type { AttachmentId } from '../../protocol/ids.ts';
import { newAttachmentId } from '../../protocol/new-ids.ts';
import { originalFile } from './original-file.ts';
import { type DevicePorts, type LoadingPorts, ShownFile } from './shown-file.ts';

/** A picture whose element is drawn anew within this time, such as when its block is moved, is not fetched again. */
const LINGERS_MS = 5_000;

export type OpenPageFiles = PageFiles & {
  /** The network or the sign-in is back: try again now. */
  readonly retryLoading: () => void;
  readonly close: () => void;
};

export type MemberPorts = LoadingPorts & DevicePorts & { readonly maker: PictureMaker };

/** The files of a page for a visitor with a link. Nothing is cached on the device. */
export const watchedFiles = (parts: LoadingPorts): OpenPageFiles => shownFiles(parts, null);

export type PersonPageFiles = OpenPageFiles & WritableFiles;

/** `isOfComments`: pictures only, which the page's comments show. */
export function pageFiles(member: MemberPorts, isOfComments = false): PersonPageFiles {
  const { document, uploads, timing } = member;
  const queued = (id: AttachmentId, about: { readonly name: string; readonly mime: string; readonly bytes: number }) =>
    ({
      ...about,
      document,
      id,
      madeAt: timing.now(),
      from: null,
      refused: null,
      ...(isOfComments ? { isOfComment: true } : {}),
    }) satisfies QueuedFile;
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
      if (picture === null && isOfComments) return err('noPicture');
      const stored = picture === null ? blob.slice(0, blob.size, OTHER_TYPE) : blob;
      const id = newAttachmentId();
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
      const id = newAttachmentId();
      // The server knows the type and size from the source.
      const about = { name: nameOf(name), mime: OTHER_TYPE, bytes: 0 };
      void uploads.add({ ...queued(id, about), from }, []);
      return id;
    },
    cancel: uploads.cancel,
    retry: uploads.retry,
  };
}

/** The name as the database accepts it. */
const nameOf = (name: string): string =>
  Array.from(name.replaceAll(/\p{Cc}+/gu, ' ').trim())
    .slice(0, MAX_FILE_NAME)
    .join('') || 'File';

function shownFiles(ports: LoadingPorts, device: DevicePorts | null): OpenPageFiles {
  /** By id and purpose. */
  const shown = new Map<string, ShownFile>();
  const stopWatchingUploads = device?.store.sub(device.uploads.atom, () => {
    for (const file of shown.values()) file.uploadsChanged();
  });

  return {
    document: device?.document ?? null,
    watch(id, use, { width, height }, run) {
      const key = `${use}:${id}`;
      const file =
        shown.get(key) ?? new ShownFile(ports, device, id, use === 'file' ? [] : versionsFor(use, width, height));
      shown.set(key, file);
      const stop = file.watch(run);
      let isWatching = true;
      return () => {
        if (!isWatching) return;
        isWatching = false;
        stop();
        ports.timing.after(LINGERS_MS, () => {
          if (file.isWatched || shown.get(key) !== file) return;
          file.close();
          shown.delete(key);
        });
      };
    },
    original: (id) => originalFile(device?.fileCache ?? null, ports.source, id),
    retryLoading() {
      for (const file of shown.values()) file.retryNow();
    },
    close() {
      stopWatchingUploads?.();
      for (const file of shown.values()) file.close();
      shown.clear();
    },
  };
}
