// Shows a picture as large as the window allows, or at its actual size, scrolled by mouse, finger or arrow keys. A
// native dialog: Escape closes it, and the focus returns.
import type { PageFiles } from '../../ports/files.ts';
import type { AttachmentId } from '../../protocol/ids.ts';
import { FILE_TEXTS } from '../../texts/file-texts.ts';
import { element, textButton } from './elements.ts';
import { saveOriginal } from './save-original.ts';

type PictureInfo = { readonly name: string; readonly width: number; readonly height: number; readonly caption: string };

export function openPicture(files: PageFiles, id: AttachmentId, info: PictureInfo): void {
  const words = info.caption === '' ? info.name : info.caption;
  const dialog = element('dialog', { class: 'picture-dialog', 'aria-label': words === '' ? 'Picture' : words });
  const image = element('img', { alt: words });
  const frame = element('div', { class: 'picture-frame' });
  const bar = element('div', { class: 'picture-dialog-bar' });
  let isLarge = false;
  /** `x` and `y` are the point of the picture to center, from 0 to 1. */
  const enlarge = (now: boolean, x: number, y: number) => {
    isLarge = now;
    dialog.toggleAttribute('data-large', isLarge);
    sizeButton.textContent = isLarge ? 'Fit to window' : 'Actual size';
    // A scrollable area must be focusable for the arrow keys.
    frame.tabIndex = isLarge ? 0 : -1;
    if (isLarge) frame.focus();
    frame.scrollTo(x * image.clientWidth - frame.clientWidth / 2, y * image.clientHeight - frame.clientHeight / 2);
  };
  const sizeButton = textButton('Actual size', () => enlarge(!isLarge, 0.5, 0));
  sizeButton.hidden = true;
  bar.append(
    sizeButton,
    textButton('Download', () => void saveOriginal(files, id, info.name)),
    textButton('Close', () => dialog.close()),
  );
  frame.append(image);
  dialog.append(bar, frame);
  image.addEventListener('load', () => {
    const isSmaller = image.naturalWidth > image.clientWidth + 1;
    if (isLarge) return;
    sizeButton.hidden = !isSmaller;
    dialog.toggleAttribute('data-smaller', isSmaller);
  });
  image.addEventListener('click', ({ offsetX, offsetY }) => {
    if (sizeButton.hidden) return;
    enlarge(!isLarge, offsetX / image.clientWidth, offsetY / image.clientHeight);
  });
  const note = element('p', { role: 'status', hidden: '' });
  frame.append(note);
  const stop = files.watch(id, 'full', info, ({ state, url }) => {
    if (url !== null) image.src = url;
    if (state !== 'undrawable') return;
    image.hidden = true;
    note.hidden = false;
    note.textContent = FILE_TEXTS.undrawable;
  });
  dialog.addEventListener('click', ({ target }) => {
    if (target === dialog) dialog.close();
  });
  const close = () => dialog.close();
  // Back, such as by a swipe, shows another page: the dialog is in none of them.
  addEventListener('popstate', close);
  dialog.addEventListener('close', () => {
    removeEventListener('popstate', close);
    stop();
    dialog.remove();
  });
  document.body.append(dialog);
  dialog.showModal();
}
