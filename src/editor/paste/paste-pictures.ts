// Pastes text with pictures, embedded or fetched: they are stored on this device first, then everything is inserted in
// one step at the intended position.
import type { EditorView } from '@tiptap/pm/view';
import { type DetachedBlock, textBlock } from 'weft-document/blocks/detached-block.ts';
import type { WritableFiles } from '../../ports/files.ts';
import { FILE_TEXTS } from '../../texts/file-texts.ts';
import { toast } from '../../ui/floating/toast.tsx';
import { attachPictures } from '../html/attach-pictures.ts';
import type { EmbeddedPictures } from '../html/embedded-pictures.ts';
import { type AddedFiles, addedFiles } from './added-files.ts';
import { rememberPlace } from './insert-later.ts';

const TOAST_AFTER_MS = 500;

/** `read` may fetch pictures first. `insert` inserts the blocks at the caret and returns false if there is no room. */
export async function pastePictures(
  view: EditorView,
  read: (added: AddedFiles) => Promise<readonly DetachedBlock[]>,
  pictures: Pick<EmbeddedPictures, 'find'>,
  files: WritableFiles,
  insert: (blocks: readonly DetachedBlock[]) => boolean,
): Promise<void> {
  const insertLater = rememberPlace(view);
  const added = addedFiles(files);
  // Large pictures take seconds, and nothing of the paste is visible until then.
  const timer = setTimeout(() => toast(FILE_TEXTS.saving), TOAST_AFTER_MS);
  const attached = await read(added)
    .then((blocks) => attachPictures(blocks, pictures.find, added))
    .catch(() => null);
  clearTimeout(timer);
  if (attached === null) toast(FILE_TEXTS.notPasted);
  for (const { name, why } of attached?.failures ?? []) toast(`${name}: ${why}`);
  let isInserted = false;
  // Without blocks this only forgets the place.
  insertLater(() => {
    if (attached !== null) isInserted = insert(attached.blocks.map(textIfMissing));
  });
  if (!isInserted) added.cancelAll();
}

/** A picture that could not be stored is replaced by its description. */
const textIfMissing = (block: DetachedBlock): DetachedBlock =>
  block.type === 'image' && block.file === null ? textBlock({}, block.runs) : block;
