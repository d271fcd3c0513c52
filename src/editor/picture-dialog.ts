// A picture as large as the window lets it be. The browser's own dialog: Escape closes it, the focus returns.
import type { AttachmentId } from '../protocol/ids.ts';
import type { PageFiles } from '../state/file-ports.ts';
import { element, textButton } from './elements.ts';
import { saveOriginal } from './save-original.ts';

type Facts = { readonly name: string; readonly width: number; readonly height: number; readonly caption: string };

export function openPicture(files: PageFiles, id: AttachmentId, facts: Facts): void {
  const words = facts.caption === '' ? facts.name : facts.caption;
  const dialog = element('dialog', { class: 'picture-dialog', 'aria-label': words === '' ? 'Picture' : words });
  const image = element('img', { alt: words });
  const bar = element('div', { class: 'picture-dialog-bar' });
  bar.append(
    textButton('Download', () => void saveOriginal(files, id, facts.name)),
    textButton('Close', () => dialog.close()),
  );
  dialog.append(bar, image);
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
