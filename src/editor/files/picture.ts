// A picture with its states, such as loading, being uploaded or not reachable. Plain elements, so that the editor and
// the reading view draw the same. If its size is stored, it has it from the start, so nothing jumps when the bytes
// arrive.
import type { Cancel } from '../../lib/cancel.ts';
import type { FileView, PageFiles, WritableFiles } from '../../ports/files.ts';
import { parseAttachmentId } from '../../protocol/ids.ts';
import { FILE_TEXTS } from '../../texts/file-texts.ts';
import { element, textButton } from './elements.ts';
import { openPicture } from './picture-dialog.ts';
import { saveOriginal } from './save-original.ts';
import { uploadButtons, uploadStatus } from './upload-status.ts';
import './files.css';

export type PictureAttributes = {
  readonly file: string | null;
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly size: number | null;
  /** The text of the caption. */
  readonly caption: string;
};

export type Picture = {
  readonly dom: HTMLElement;
  readonly update: (attributes: PictureAttributes) => void;
  readonly destroy: () => void;
};

/** With `writable`, uploads can be cancelled and retried here. */
export function createPicture(files: PageFiles | null, writable: WritableFiles | null): Picture {
  const image = element('img', { draggable: 'false', decoding: 'async' });
  const note = element('p', { class: 'picture-note', role: 'status' });
  const progress = element('span', { class: 'upload-weft', 'aria-hidden': 'true' });
  const tools = element('div', { class: 'picture-tools' });
  const dom = element('div', { class: 'picture', contenteditable: 'false' });
  dom.append(note, progress, tools);
  let attributes: PictureAttributes | null = null;
  let view: FileView = { state: 'loading', url: null, upload: null };
  let stop: Cancel | null = null;
  let isBroken = false;

  const draw = () => {
    const isHere = view.state === 'here' && view.url !== null && !isBroken;
    const state = isBroken ? 'broken' : isHere ? 'here' : view.state;
    dom.dataset['state'] = state;
    dom.dataset['upload'] = view.upload?.state ?? '';
    if (isHere && view.url !== null && image.getAttribute('src') !== view.url) image.src = view.url;
    if (!isHere) {
      image.removeAttribute('src');
      image.remove();
    } else if (image.parentNode === null) dom.prepend(image);
    progress.style.setProperty('--progress', String(view.upload?.fraction ?? 0));
    const words = view.upload !== null ? uploadStatus(view.upload) : isHere ? '' : wordsOf(state, attributes);
    // A live region announces each change, so the same text is not set again.
    if (note.textContent !== words) note.textContent = words;
    drawTools(isHere);
  };

  const open = () => {
    const id = parseAttachmentId(attributes?.file ?? '');
    if (id !== null && files !== null && attributes !== null) openPicture(files, id, attributes);
  };
  image.addEventListener('dblclick', open);
  let drawn = '';
  const drawTools = (isHere: boolean) => {
    const now = `${isHere} ${view.state} ${view.upload?.state ?? ''}`;
    if (now === drawn) return;
    drawn = now;
    const id = attributes === null ? null : parseAttachmentId(attributes.file ?? '');
    tools.replaceChildren();
    if (id === null || files === null) return;
    if (view.upload !== null && writable !== null) tools.append(...uploadButtons(view.upload, id, writable));
    if (isHere) tools.append(textButton('Open', open));
    if (isHere || view.state === 'undrawable')
      tools.append(textButton('Download', () => void saveOriginal(files, id, attributes?.name ?? '')));
  };

  image.addEventListener('error', () => {
    isBroken = image.hasAttribute('src');
    draw();
  });
  return {
    dom,
    update(next) {
      const isChanged =
        attributes?.file !== next.file || attributes.width !== next.width || attributes.height !== next.height;
      attributes = next;
      setSize(dom, image, next);
      if (!isChanged && stop !== null) return;
      stop?.();
      isBroken = false;
      drawn = '';
      const id = parseAttachmentId(next.file ?? '');
      view = { state: id === null || files === null ? 'denied' : 'loading', url: null, upload: null };
      draw();
      stop =
        id === null
          ? () => undefined
          : (files?.watch(id, 'page', next, (next) => {
              view = next;
              draw();
            }) ?? null);
    },
    destroy: () => stop?.(),
  };
}

function setSize(
  dom: HTMLElement,
  image: HTMLImageElement,
  { width, height, size, caption, name }: PictureAttributes,
): void {
  dom.style.width = size === null ? (width > 0 ? `min(100%, ${width}px)` : '100%') : `${size}%`;
  dom.style.aspectRatio = width > 0 && height > 0 ? `${width} / ${height}` : '3 / 2';
  if (width > 0 && height > 0) {
    image.width = width;
    image.height = height;
  }
  image.alt = caption === '' ? name : caption;
}

/** For a picture that was named in imported text but not included, the message has its name. */
const wordsOf = (state: keyof typeof WORDS, attributes: PictureAttributes | null): string =>
  attributes?.file === null ? `${attributes.name}: ${FILE_TEXTS.notIncluded}` : WORDS[state];

const WORDS = {
  loading: '',
  here: '',
  missing: FILE_TEXTS.missing,
  offline: FILE_TEXTS.offline,
  denied: FILE_TEXTS.denied,
  broken: FILE_TEXTS.broken,
  undrawable: FILE_TEXTS.undrawable,
} as const;
