// Shows a picture as large as the window allows, or at its actual size, scrolled by mouse, finger or arrow keys. A
// native dialog: Escape closes it, and the focus returns.
import type { AttachmentId } from '../../protocol/ids.ts';
import type { PageFiles } from '../../state/file-ports.ts';
import { element, textButton } from './elements.ts';
import { saveOriginal } from './save-original.ts';

type PictureInfo = { readonly name: string; readonly width: number; readonly height: number; readonly caption: string };

export function openPicture(files: PageFiles, id: AttachmentId, facts: PictureInfo): void {
  const words = facts.caption === '' ? facts.name : facts.caption;
  const dialog = element('dialog', { class: 'picture-dialog', 'aria-label': words === '' ? 'Picture' : words });
  const image = element('img', { alt: words });
  const frame = element('div', { class: 'picture-frame' });
  const bar = element('div', { class: 'picture-dialog-bar' });
  let isLarge = false;
  /** `x` and `y` are the point of the picture to center, from 0 to 1. */
  const enlarge = (now: boolean, x: number, y: number) => {
    isLarge = now;
    dialog.toggleAttribute('data-large', isLarge);
    size.textContent = isLarge ? 'Fit to window' : 'Actual size';
    // A scrollable area must be focusable for the arrow keys.
    frame.tabIndex = isLarge ? 0 : -1;
    if (isLarge) frame.focus();
    frame.scrollTo(x * image.clientWidth - frame.clientWidth / 2, y * image.clientHeight - frame.clientHeight / 2);
  };
  const size = textButton('Actual size', () => enlarge(!isLarge, 0.5, 0));
  size.hidden = true;
  bar.append(
    size,
    textButton('Download', () => void saveOriginal(files, id, facts.name)),
    textButton('Close', () => dialog.close()),
  );
  frame.append(image);
  dialog.append(bar, frame);
  image.addEventListener('load', () => {
    const isSmaller = image.naturalWidth > image.clientWidth + 1;
    if (isLarge) return;
    size.hidden = !isSmaller;
    dialog.toggleAttribute('data-smaller', isSmaller);
  });
  image.addEventListener('click', ({ offsetX, offsetY }) => {
    if (size.hidden) return;
    enlarge(!isLarge, offsetX / image.clientWidth, offsetY / image.clientHeight);
  });
  const stop = files.watch(id, 'full', facts, ({ url }) => {
    if (url !== null) image.src = url;
  });
  dialog.addEventListener('click', ({ target }) => {
    if (target === dialog) dialog.close();
  });
  dialog.addEventListener('close', () => {
    stop();
    dialog.remove();
  });
  document.body.append(dialog);
  dialog.showModal();
}
