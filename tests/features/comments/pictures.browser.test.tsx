// Pictures in comments: pasted, dropped or picked in the field, described, sent, and drawn in the thread.
import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { page as browser, userEvent } from 'vitest/browser';
import { err, ok } from '../../../src/lib/result.ts';
import type { FileView, WritableFiles } from '../../../src/ports/files.ts';
import type { CommentPicture } from '../../../src/protocol/comments.ts';
import { type AttachmentId, parseAttachmentId } from '../../../src/protocol/ids.ts';
import { alice } from '../../support/app/app-fixture.ts';
import { noFiles } from '../../support/app/memory-files.ts';
import { renderComments } from '../../support/app/render-comments.tsx';
import { commentId, commentOf, saying, threadOf } from '../../support/app/shown-comments.ts';

afterEach(cleanup);
beforeEach(async () => {
  localStorage.clear();
  await browser.viewport(1440, 900);
});

const idOf = (n: number): AttachmentId =>
  parseAttachmentId(`00000009-0000-4000-8000-${String(n).padStart(12, '0')}`) ?? (undefined as never);
const pictureOf = (n: number, more: Partial<CommentPicture> = {}): CommentPicture => ({
  kind: 'picture',
  picture: idOf(n),
  width: 640,
  height: 480,
  alt: '',
  ...more,
});
const DOT = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';

/** Files in memory: every picture is there, unless `views` says otherwise. */
function memoryPictures(views: ReadonlyMap<AttachmentId, FileView> = new Map()) {
  const calls: (readonly [string, AttachmentId])[] = [];
  let added = 0;
  const files: WritableFiles = {
    ...noFiles,
    watch(id, _use, _size, run) {
      run(views.get(id) ?? { state: 'here', url: DOT, upload: null });
      return () => undefined;
    },
    async add(file) {
      if (!file.type.startsWith('image/')) return err('noPicture');
      added += 1;
      return ok({ kind: 'image', id: idOf(added), name: file.name, width: 640, height: 480 });
    },
    cancel: (id) => void calls.push(['cancel', id]),
    retry: (id) => void calls.push(['retry', id]),
  };
  return { files, calls };
}

const given = (...files: readonly File[]) => {
  const data = new DataTransfer();
  for (const file of files) data.items.add(file);
  return data;
};
const dispatch = (field: HTMLElement, event: Event): void => act(() => void field.dispatchEvent(event));
const paste = (field: HTMLElement, ...files: readonly File[]) =>
  dispatch(field, new ClipboardEvent('paste', { clipboardData: given(...files), bubbles: true, cancelable: true }));
const drop = (field: HTMLElement, ...files: readonly File[]) =>
  dispatch(field, new DragEvent('drop', { dataTransfer: given(...files), bubbles: true, cancelable: true }));
const swan = () => new File(['swan'], 'swan.png', { type: 'image/png' });
const openFirst = () => userEvent.click(screen.getByRole('button', { name: /^Comment on “words 1”/ }));
const reply = () => screen.findByRole('textbox', { name: 'Reply' });

test('a pasted picture is described and sent, also alone; what is no picture is refused', async () => {
  const { files, calls } = memoryPictures();
  const { shown } = await renderComments({ files });
  await openFirst();
  const field = await reply();
  const sendButton = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Send' });
  paste(field, swan());
  const described = await screen.findByRole('textbox', { name: 'Describe this picture' });
  await userEvent.type(described, 'A swan');
  expect(field.textContent).toBe('');
  paste(field, new File(['text'], 'notes.txt', { type: 'text/plain' }));
  await screen.findByText(/notes\.txt: This isn’t a picture/);
  await userEvent.click(sendButton());
  expect(shown.calls.at(-1)).toEqual(['reply', threadOf(1, []).id, [pictureOf(1, { alt: 'A swan' })]]);
  expect(screen.queryByRole('textbox', { name: 'Describe this picture' })).toBeNull();
  expect(sendButton().disabled).toBe(true);

  drop(field, swan());
  await userEvent.click(await screen.findByRole('button', { name: 'Remove picture' }));
  expect(calls).toEqual([['cancel', idOf(2)]]);
});

test('no more than four pictures, also of pastes that follow each other; a draft keeps them over a reload', async () => {
  const { files } = memoryPictures();
  await renderComments({ files });
  await openFirst();
  const field = await reply();
  paste(field, swan(), swan(), swan());
  paste(field, swan());
  paste(field, swan());
  await screen.findByText('A comment can have 4 pictures.');
  expect(screen.getAllByRole('textbox', { name: 'Describe this picture' })).toHaveLength(4);
  cleanup();
  await renderComments({ files });
  await openFirst();
  await waitFor(() => expect(screen.getAllByRole('textbox', { name: 'Describe this picture' })).toHaveLength(4));
});

test('a thread shows pictures in their size before their bytes are there; a click opens one', async () => {
  const loading: FileView = { state: 'loading', url: null, upload: null };
  const { files } = memoryPictures(new Map([[idOf(2), loading]]));
  const body = [...saying('Look'), pictureOf(1, { alt: 'A swan' }), pictureOf(2)];
  await renderComments({ files, threads: [threadOf(1, [commentOf(1, '', { body })])] });
  await openFirst();
  const list = await screen.findByRole('list', { name: 'Pictures' });
  const [first, second] = within(list).getAllByRole('button');
  if (first === undefined || second === undefined) throw new Error('no pictures');
  expect(second.getBoundingClientRect().height).toBeCloseTo(first.getBoundingClientRect().height, 0);
  await userEvent.click(within(list).getByRole('button', { name: 'A swan' }));
  expect(screen.getByRole('dialog', { name: 'A swan' })).toBeTruthy();
  await userEvent.keyboard('{Escape}');
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('a closed thread with a picture alone says so; a picture whose upload failed is tried again or taken out', async () => {
  const failed: FileView = {
    state: 'here',
    url: DOT,
    upload: { state: 'failed', fraction: 0, why: 'There is no room for files.' },
  };
  const { files, calls } = memoryPictures(new Map([[idOf(1), failed]]));
  const waiting = commentOf(1, '', { by: alice.id, state: 'sending', body: [...saying('Look'), pictureOf(1)] });
  const alone = commentOf(3, '', { body: [pictureOf(3)] });
  const { shown } = await renderComments({ files, threads: [threadOf(1, [waiting]), threadOf(2, [alone])] });
  expect(screen.getByText('A picture')).toBeTruthy();
  await openFirst();
  await screen.findByText('Couldn’t be uploaded. There is no room for files.');
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await userEvent.click(screen.getByRole('button', { name: 'Remove picture' }));
  expect(calls).toEqual([['retry', idOf(1)]]);
  expect(shown.calls.at(-1)).toEqual(['takeOut', commentId(1), idOf(1)]);
});
