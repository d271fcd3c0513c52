// Pastes text with embedded pictures: the pictures are stored on this device first, then everything is inserted in one
// step at the intended position.
import { TextSelection } from '@tiptap/pm/state';
import type { EditorView } from '@tiptap/pm/view';
import type { DetachedBlock } from '../../document/blocks/detached-block.ts';
import { textBlock } from '../../document/blocks/detached-block.ts';
import { FILE_TEXTS } from '../../protocol/errors.ts';
import type { AttachmentId } from '../../protocol/ids.ts';
import type { WritableFiles } from '../../state/file-ports.ts';
import { toast } from '../../ui/floating/toast.tsx';
import { attachPictures } from '../html/attach-pictures.ts';
import { trackPosition } from '../files/pending-positions.ts';
import type { EmbeddedPictures } from '../html/embedded-pictures.ts';

const TOAST_AFTER_MS = 500;

/** `insert` inserts the blocks at the caret and returns false if there is no room. */
export async function pastePictures(
  view: EditorView,
  blocks: readonly DetachedBlock[],
  pictures: EmbeddedPictures,
  files: WritableFiles,
  insert: (blocks: readonly DetachedBlock[]) => boolean,
): Promise<void> {
  const { from, to } = view.state.selection;
  const start = trackPosition(view, from);
  const end = trackPosition(view, to);
  const storedIds: AttachmentId[] = [];
  // Large pictures take seconds, and nothing of the paste is visible until then.
  const timer = setTimeout(() => toast(FILE_TEXTS.saving), TOAST_AFTER_MS);
  const attached = await attachPictures(blocks, pictures.find, {
    async add(file) {
      const added = await files.add(file);
      if (added.ok) storedIds.push(added.value.id);
      return added;
    },
  });
  clearTimeout(timer);
  for (const { name, why } of attached.failures) toast(`${name}: ${why}`);
  const cancelAll = () => storedIds.forEach((id) => files.cancel(id));
  if (view.isDestroyed) return cancelAll();
  const [first, last] = [start(), end()];
  if (!view.editable) return cancelAll();
  const { selection, doc } = view.state;
  const isElsewhere = selection.from !== first || selection.to !== last;
  const caretBefore = isElsewhere ? trackPosition(view, selection.head) : null;
  if (isElsewhere) {
    const intended = TextSelection.between(doc.resolve(first), doc.resolve(last));
    view.dispatch(view.state.tr.setSelection(intended));
  }
  if (!insert(attached.blocks.map((block) => pictures.restore(nameIfMissing(block))))) cancelAll();
  if (caretBefore === null) return;
  // If the user is writing somewhere else by now, the caret returns there.
  view.dispatch(view.state.tr.setSelection(TextSelection.near(view.state.doc.resolve(caretBefore()))));
}

/** A picture that could not be stored is replaced by its name. */
const nameIfMissing = (block: DetachedBlock): DetachedBlock =>
  block.type === 'image' && block.file === null ? textBlock({}, block.runs) : block;
