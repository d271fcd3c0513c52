// What a picture or file says while it is not stored yet, and what can be done about it.
import { FILE_TEXTS } from '../../protocol/errors.ts';
import type { AttachmentId } from '../../protocol/ids.ts';
import type { UploadState, WritableFiles } from '../../state/file-ports.ts';
import { textButton } from './elements.ts';

export function uploadWords({ state, why }: UploadState): string {
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
