// The status text and buttons of a picture or file that is not uploaded yet.
import type { UploadState, WritableFiles } from '../../ports/files.ts';
import type { AttachmentId } from '../../protocol/ids.ts';
import { FILE_TEXTS } from '../../texts/file-texts.ts';
import { textButton } from './elements.ts';

export function uploadStatus({ state, why }: UploadState): string {
  switch (state) {
    case 'waiting':
      return FILE_TEXTS.waiting;
    case 'sending':
      return FILE_TEXTS.sending;
    case 'failed':
      return why === null || why === FILE_TEXTS.failed ? FILE_TEXTS.failed : `${FILE_TEXTS.failed} ${why}`;
  }
}

export function uploadButtons({ state }: UploadState, id: AttachmentId, files: WritableFiles): readonly HTMLElement[] {
  const cancel = textButton('Cancel', () => files.cancel(id));
  return state === 'failed' ? [textButton('Try again', () => files.retry(id)), cancel] : [cancel];
}
