// A file as a card: its name, its size, a download button, and the state of its upload.
import type { Cancel } from '../../lib/cancel.ts';
import { formatBytes } from '../../lib/text/format-bytes.ts';
import type { FileView, PageFiles, WritableFiles } from '../../ports/files.ts';
import { parseAttachmentId } from '../../protocol/ids.ts';
import { element, textButton } from './elements.ts';
import { saveOriginal } from './save-original.ts';
import { uploadButtons, uploadStatus } from './upload-status.ts';
import './files.css';

export type FileAttributes = { readonly file: string | null; readonly name: string; readonly bytes: number };

export type FileCard = {
  readonly dom: HTMLElement;
  readonly update: (attributes: FileAttributes) => void;
  readonly destroy: () => void;
};

/** With `writable`, its upload can be cancelled and retried here. */
export function createFileCard(files: PageFiles | null, writable: WritableFiles | null): FileCard {
  const dom = element('div', { class: 'block-file', contenteditable: 'false' });
  const name = element('span', { class: 'file-name', dir: 'auto' });
  const details = element('span', { class: 'file-about', role: 'status' });
  const progress = element('span', { class: 'upload-weft', 'aria-hidden': 'true' });
  const tools = element('span', { class: 'file-tools' });
  dom.append(name, details, tools, progress);
  let attributes: FileAttributes | null = null;
  let view: FileView | null = null;
  let stop: Cancel | null = null;
  let drawn = '';

  const draw = () => {
    if (attributes === null) return;
    const upload = view?.upload ?? null;
    name.textContent = attributes.name === '' ? 'File' : attributes.name;
    const words =
      upload === null ? formatBytes(attributes.bytes) : `${formatBytes(attributes.bytes)} · ${uploadStatus(upload)}`;
    if (details.textContent !== words) details.textContent = words;
    dom.dataset['upload'] = upload?.state ?? '';
    progress.style.setProperty('--progress', String(upload?.fraction ?? 0));
    const now = `${attributes.file} ${upload?.state ?? ''}`;
    if (now === drawn) return;
    drawn = now;
    const id = parseAttachmentId(attributes.file ?? '');
    tools.replaceChildren();
    if (id === null || files === null) return;
    const download = textButton('Download', () => void saveOriginal(files, id, attributes?.name ?? ''));
    download.setAttribute('aria-label', `Download ${attributes.name}`);
    tools.append(...(upload !== null && writable !== null ? uploadButtons(upload, id, writable) : []), download);
  };

  return {
    dom,
    update(next) {
      const isChanged = attributes?.file !== next.file;
      attributes = next;
      if (isChanged) {
        stop?.();
        view = null;
        const id = parseAttachmentId(next.file ?? '');
        stop =
          id === null || files === null
            ? null
            : files.watch(id, 'file', { width: 0, height: 0 }, (next) => {
                view = next;
                draw();
              });
      }
      draw();
    },
    destroy: () => stop?.(),
  };
}
