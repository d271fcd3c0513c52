// Saves the original file on the user's device.
import type { PageFiles } from '../../ports/files.ts';
import type { AttachmentId } from '../../protocol/ids.ts';
import { textOf } from '../../texts/error-texts.ts';
import { FILE_TEXTS } from '../../texts/file-texts.ts';
import { saveFile } from '../../ui/browser/save-file.ts';

export async function saveOriginal(files: PageFiles, id: AttachmentId, name: string): Promise<void> {
  const file = await files.original(id);
  if (file.ok) return saveFile(new Uint8Array(await file.value.arrayBuffer()), name === '' ? 'File' : name);
  // Loaded only now: a page opened by a link has to come fast.
  const { toast } = await import('../../ui/floating/toast.tsx');
  toast(file.error.code === 'WF001' ? FILE_TEXTS.missing : textOf(file.error));
}
