// Pastes text with embedded pictures: the pictures are stored on this device first, then everything is inserted in one
// step at the intended position.
import type { EditorView } from '@tiptap/pm/view';
import { type DetachedBlock, textBlock } from 'weft-document/blocks/detached-block.ts';
import type { WritableFiles } from '../../ports/files.ts';
import type { AttachmentId } from '../../protocol/ids.ts';
import { FILE_TEXTS } from '../../texts/file-texts.ts';
import { toast } from '../../ui/floating/toast.tsx';
import { attachPictures } from '../html/attach-pictures.ts';
import type { EmbeddedPictures } from '../html/embedded-pictures.ts';
import { rememberPlace } from './insert-later.ts';

const TOAST_AFTER_MS = 500;

/** `read` may fetch pictures first. `insert` inserts the blocks at the caret and returns false if there is no room. */
export async function pastePictures(
  view: EditorView,
  read: () => Promise<readonly DetachedBlock[]>,
  pictures: EmbeddedPictures,
  files: WritableFiles,
  insert: (blocks: readonly DetachedBlock[]) => boolean,
): Promise<void> {
  const insertLater = rememberPlace(view);
  const storedIds: AttachmentId[] = [];
  // Large pictures take seconds, and nothing of the paste is visible until then.
  const timer = setTimeout(() => toast(FILE_TEXTS.saving), TOAST_AFTER_MS);
  const attached = await attachPictures(await read(), pictures.find, {
    async add(file) {
      const added = await files.add(file);
      if (added.ok) storedIds.push(added.value.id);
      return added;
    },
  });
  clearTimeout(timer);
  for (const { name, why } of attached.failures) toast(`${name}: ${why}`);
  const cancelAll = () => storedIds.forEach((id) => files.cancel(id));
  const isInserted = insertLater(() => {
    if (!insert(attached.blocks.map((block) => pictures.restore(nameIfMissing(block))))) cancelAll();
  });
  if (!isInserted) cancelAll();
}

/** A picture that could not be stored is replaced by its name. */
const nameIfMissing = (block: DetachedBlock): DetachedBlock =>
  block.type === 'image' && block.file === null ? textBlock({}, block.runs) : block;
