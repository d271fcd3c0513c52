// Pictures and files in the editor, on two real sessions: pasted, captioned and resized while others write, copied to
// another page, kept apart from the text around them.
import { expect, test, vi } from 'vitest';
import { page as screen, userEvent } from 'vitest/browser';
import { parseBody } from 'weft-document/body/parse-body.ts';
import { weftError } from 'weft-sync/protocol/errors.ts';
import { type DocumentId, parseDocumentId } from 'weft-sync/protocol/ids.ts';
import { openPicture } from '../../../src/editor/files/picture-dialog.ts';
import { err, ok } from '../../../src/lib/result.ts';
import type { FileView, AttachmentRef, WritableFiles } from '../../../src/ports/files.ts';
import { type AttachmentId, parseAttachmentId } from '../../../src/protocol/ids.ts';
import { FILE_TEXTS } from '../../../src/texts/file-texts.ts';
import { copyFrom } from '../../support/editor/clipboard.ts';
import { countFileDialogs } from '../../support/editor/devtools.ts';
import { linesOf, openPage } from '../../support/editor/opened-page.ts';
import { pageSeed } from '../../support/editor/page-seed.ts';
import { connect, pageSession } from '../../support/editor/page-session.ts';

const must = <T>(value: T | null): T => {
  if (value === null) throw new Error('missing');
  return value;
};
const attachment = (n: number): AttachmentId =>
  must(parseAttachmentId(`00000009-0000-4000-8000-${String(n).padStart(12, '0')}`));
const page = (n: number): DocumentId => must(parseDocumentId(`00000003-0000-4000-8000-${String(n).padStart(12, '0')}`));

/** Stores what it is given; a test sets the state. */
function filesOf(document: DocumentId) {
  let lastId = document === page(1) ? 0 : 100;
  const watchers = new Map<AttachmentId, (view: FileView) => void>();
  const state = {
    copied: [] as { readonly from: AttachmentRef; readonly name: string }[],
    cancelled: [] as AttachmentId[],
    hold: Promise.resolve(),
    show: (id: AttachmentId, view: FileView) => watchers.get(id)?.(view),
  };
  const files: WritableFiles = {
    document,
    async add(file) {
      await state.hold;
      if (file.size > 1_000) return err('tooLarge');
      lastId += 1;
      const { name } = file;
      return file.type === 'image/png'
        ? ok({ kind: 'image', id: attachment(lastId), name, width: 400, height: 200 })
        : ok({ kind: 'file', id: attachment(lastId), name, bytes: file.size, mime: 'text/plain' });
    },
    copy(from, name) {
      state.copied.push({ from, name });
      lastId += 1;
      return attachment(lastId);
    },
    watch(id, _use, _size, run) {
      watchers.set(id, run);
      run({ state: 'loading', url: null, upload: null });
      return () => watchers.delete(id);
    },
    original: async () => err(weftError('WF011')),
    cancel(id) {
      state.cancelled.push(id);
    },
    retry: () => undefined,
  };
  return Object.assign(state, files);
}

const png = (name = 'swan.png') => new File(['abc'], name, { type: 'image/png' });

function paste(dom: HTMLElement, files: readonly File[], words: Readonly<Record<string, string>> = {}): void {
  const clipboardData = new DataTransfer();
  for (const file of files) clipboardData.items.add(file);
  for (const [type, text] of Object.entries(words)) clipboardData.setData(type, text);
  dom.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
}

const picture = (dom: HTMLElement) => must(dom.querySelector('.picture'));

const picturesOf = (session: ReturnType<typeof pageSession>) =>
  parseBody(session.doc).flatMap((block) => (block.type === 'image' ? [block] : []));

test('pasted files are inserted below the intended line, while others write above it, in one undo step', async () => {
  const [alice, bob] = [
    pageSession(pageSeed('first', 'second', 'third')),
    pageSession(pageSeed('first', 'second', 'third')),
  ];
  connect(alice, bob);
  const files = filesOf(page(1));
  let release: () => void = () => undefined;
  files.hold = new Promise((resolve) => (release = resolve));
  const [here, there] = [openPage(alice, true, files), openPage(bob)];
  here.caret(1, -1);
  paste(here.editor.view.dom, [png(), new File(['words'], 'notes.txt')]);
  there.caret(0, 0);
  there.editor.commands.insertContent('x');
  there.editor.view.dispatch(there.editor.state.tr.insert(0, there.editor.schema.node('block')));
  release();
  await expect.poll(() => picturesOf(bob).length).toBe(1);
  expect(linesOf(bob)).toEqual([
    'paragraph: ',
    'paragraph: xfirst',
    'paragraph: second',
    'image',
    'file notes.txt',
    'paragraph: third',
  ]);
  expect(picturesOf(bob)[0]).toMatchObject({ file: attachment(1), name: 'swan.png', width: 400, height: 200 });
  here.undo.undo();
  expect(linesOf(bob)).toEqual(['paragraph: ', 'paragraph: xfirst', 'paragraph: second', 'paragraph: third']);
});

test('a file that is too large is reported and not inserted; text beside a picture wins', async () => {
  const session = pageSession();
  const files = filesOf(page(1));
  const here = openPage(session, true, files);
  here.caret(0, 0);
  paste(here.editor.view.dom, [new File(['x'.repeat(2_000)], 'large.png', { type: 'image/png' })]);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(linesOf(session)).toEqual(['paragraph: ']);
  paste(here.editor.view.dom, [png()], { 'text/html': '<p>cells</p>', 'text/plain': 'cells' });
  expect(linesOf(session)).toEqual(['paragraph: cells']);
  paste(here.editor.view.dom, [png()], { 'text/html': '<img src="https://a.example/swan.png">' });
  await expect.poll(() => picturesOf(session).length).toBe(1);
});

test('a full page takes no picture, and no upload is left waiting', async () => {
  const session = pageSession();
  const files = filesOf(page(1));
  const here = openPage(session, true, files);
  session.roomBytes = 10;
  here.caret(0, 0);
  paste(here.editor.view.dom, [png()]);
  await expect.poll(() => files.cancelled).toEqual([attachment(1)]);
  expect(linesOf(session)).toEqual(['paragraph: ']);
});

test('a picture embedded in pasted HTML is inserted with its text, at the intended place, in one undo step', async () => {
  const [alice, bob] = [pageSession(pageSeed('first', 'second')), pageSession(pageSeed('first', 'second'))];
  connect(alice, bob);
  const files = filesOf(page(1));
  let release: () => void = () => undefined;
  files.hold = new Promise((resolve) => (release = resolve));
  const [here, there] = [openPage(alice, true, files), openPage(bob)];
  here.caret(0, 5);
  const dataUrl = `data:image/png;base64,${btoa('abc')}`;
  paste(here.editor.view.dom, [], {
    'text/html': `<p>one</p><figure><img alt="A swan" src="${dataUrl}"></figure><p>two</p><pre>${dataUrl}</pre>`,
  });
  // Meanwhile he writes above, and she continues below.
  there.editor.view.dispatch(there.editor.state.tr.insert(0, there.editor.schema.node('block')));
  here.caret(2, 6);
  await here.press('!');
  expect(linesOf(alice)).toEqual(['paragraph: ', 'paragraph: first', 'paragraph: second!']);
  release();
  await expect.poll(() => picturesOf(bob).length).toBe(1);
  const all = [
    'paragraph: ',
    'paragraph: firstone',
    'image A swan',
    'paragraph: two',
    `code: ${dataUrl}`,
    'paragraph: second!',
  ];
  expect(linesOf(bob)).toEqual(all);
  expect(picturesOf(bob)[0]).toMatchObject({ file: attachment(1), name: 'picture-1.png', width: 400, height: 200 });
  await here.press('?');
  expect(linesOf(bob).at(-1)).toBe('paragraph: second!?');
  here.undo.undo();
  here.undo.undo();
  expect(linesOf(bob)).toEqual(['paragraph: ', 'paragraph: first', 'paragraph: second!']);
});

test('pictures inside the text of pasted HTML are placed after their block, in whatever form they were written', async () => {
  const session = pageSession();
  const here = openPage(session, true, filesOf(page(1)));
  here.caret(0, 0);
  const data = btoa('abc~~~');
  const image = (address: string) => `<img alt="x" src="${address}">`;
  const png = image(`data:image/png;base64,${data}`);
  const broken = image(
    `data:image/jpg;charset=utf-8;base64,${data.slice(0, 4)}\n ${encodeURIComponent(data.slice(4))}`,
  );
  const svg = image(`data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg"/>')}`);
  const html =
    `<p>one ${png} two</p><ul><li>item ${broken}</li></ul><p>${png}${svg}</p>` +
    `<table><tr><th>a</th><th>b</th></tr><tr><td>${png}</td><td>cell</td></tr></table><p>end</p>`;
  paste(here.editor.view.dom, [], { 'text/html': html });
  await expect.poll(() => linesOf(session).at(-1)).toBe('paragraph: end');
  expect(linesOf(session)).toEqual([
    'paragraph: one two',
    'image',
    'bullet: item',
    'file picture-2.jpg',
    'image',
    'file picture-4.svg',
    'table a\tb\n\tcell',
    'image',
    'paragraph: end',
  ]);
});

test('a picture in pasted HTML that cannot be stored becomes its name; on a full page no upload is left waiting', async () => {
  const session = pageSession();
  const files = filesOf(page(1));
  const here = openPage(session, true, files);
  here.caret(0, 0);
  const html = (bytes: string) =>
    `<p>one</p><p><img alt="A swan" src="data:image/png;base64,${btoa(bytes)}"></p><p>two</p>`;
  paste(here.editor.view.dom, [], { 'text/html': html('x'.repeat(2_000)) });
  await expect.poll(() => linesOf(session)).toEqual(['paragraph: one', 'paragraph: A swan', 'paragraph: two']);
  session.roomBytes = 10;
  paste(here.editor.view.dom, [], { 'text/html': html('abc') });
  await expect.poll(() => files.cancelled).toEqual([attachment(1)]);
  expect(linesOf(session)).toEqual(['paragraph: one', 'paragraph: A swan', 'paragraph: two']);
});

test('a picture inside pasted text that cannot be stored becomes its name, without a link to nowhere', async () => {
  const session = pageSession();
  const here = openPage(session, true, filesOf(page(1)));
  here.caret(0, 0);
  const large = `<img src="data:image/png;base64,${btoa('x'.repeat(2_000))}">`;
  const small = `<img src="data:image/png;base64,${btoa('abc')}">`;
  const html = `<p>one ${large} two ${small}</p><table><tr><td>${large}</td><td>cell</td></tr></table><p>end</p>`;
  paste(here.editor.view.dom, [], { 'text/html': html });
  await expect.poll(() => linesOf(session).at(-1)).toBe('paragraph: end');
  expect(linesOf(session)).toEqual([
    'paragraph: one picture-1.png two',
    'image',
    'table picture-3.png\tcell',
    'paragraph: end',
  ]);
});

test('a picture is selected by a click and by Escape, and then keys apply to it and to no other text', async () => {
  const session = pageSession(
    pageSeed(
      'before',
      { node: 'image', file: attachment(1), name: 'a.png', width: 120, height: 60, text: 'cap' },
      'end',
    ),
  );
  const here = openPage(session, true, filesOf(page(1)));
  const { dom } = here.editor.view;
  dom.style.width = '600px';
  here.caret(0, -1);
  await userEvent.click(picture(dom));
  expect(dom.querySelector('[data-selected]')).not.toBeNull();
  // It takes a fifth of the column: narrower is less than that.
  await here.press('-');
  expect(picturesOf(session)[0]?.size).toBe(10);
  await here.press('+');
  expect(picturesOf(session)[0]?.size).toBe(20);
  here.caret(1, -1);
  await here.press('{Escape}+');
  expect(picturesOf(session)[0]).toMatchObject({ size: 30 });
  await userEvent.click(picture(dom));
  await here.press('{Backspace}');
  expect(linesOf(session)).toEqual(['paragraph: before', 'paragraph: end']);
});

test('text typed after a paste that ends with a picture goes below it', async () => {
  const session = pageSession(pageSeed('one'));
  const here = openPage(session, true, filesOf(page(1)));
  here.caret(0, -1);
  const html = `<p>two</p><p><img alt="A swan" src="data:image/png;base64,${btoa('abc')}"></p>`;
  paste(here.editor.view.dom, [], { 'text/html': html });
  await expect.poll(() => picturesOf(session).length).toBe(1);
  await here.press('next');
  expect(linesOf(session)).toEqual(['paragraph: onetwo', 'image A swan', 'paragraph: next']);
});

test('one sets the width while another writes the caption: both stay', async () => {
  const seed = pageSeed({ node: 'image', file: attachment(1), name: 'swan.png', width: 400, height: 200 }, 'end');
  const [alice, bob] = [pageSession(seed), pageSession(seed)];
  const wire = connect(alice, bob);
  const files = filesOf(page(1));
  const [here, there] = [openPage(alice, true, files), openPage(bob, true, filesOf(page(1)))];
  files.show(attachment(1), { state: 'here', url: await drawn(16, 16), upload: null });
  wire.offline();
  const handle = here.editor.view.dom.querySelector<HTMLElement>('[role="slider"]');
  handle?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Home', bubbles: true, cancelable: true }));
  there.caret(0, 0);
  await there.press('A swan');
  wire.online();
  for (const session of [alice, bob]) {
    expect(picturesOf(session)[0]).toMatchObject({ size: 10 });
    expect(linesOf(session)).toEqual(['image A swan', 'paragraph: end']);
  }
  const image = here.editor.view.dom.querySelector('img');
  expect(image?.alt).toBe('A swan');
  expect(here.editor.view.dom.querySelector<HTMLElement>('.picture')?.style.width).toBe('10%');
  expect(handle?.getAttribute('aria-valuenow')).toBe('10');
});

test('keys next to a picture select it before they delete it, and never mix its caption with other text', async () => {
  const lines = ['above', { node: 'image', file: attachment(1), text: 'caption' }, 'below'];
  const session = pageSession(pageSeed(...lines));
  const here = openPage(session, true, filesOf(page(1)));
  here.caret(2, 0);
  await here.press('{Backspace}');
  expect(linesOf(session)).toEqual(['paragraph: above', 'image caption', 'paragraph: below']);
  expect(here.editor.view.dom.querySelector('[data-selected] .picture')).not.toBeNull();
  await here.press('-');
  expect(picturesOf(session)[0]?.size).toBe(90);
  here.caret(1, -1);
  await here.press('{Delete}');
  expect(linesOf(session)).toEqual(['paragraph: above', 'image caption', 'paragraph: below']);
  here.caret(1, -1);
  await here.press('{Enter}more');
  expect(linesOf(session)).toEqual(['paragraph: above', 'image caption', 'paragraph: more', 'paragraph: below']);
  here.caret(0, -1);
  await here.press('{Delete}{Delete}');
  expect(linesOf(session)).toEqual(['paragraph: above', 'paragraph: more', 'paragraph: below']);
});

test('a picture copied to another page belongs to that page; within a page it stays the same', async () => {
  const seed = pageSeed({
    node: 'image',
    file: attachment(7),
    name: 'swan.png',
    width: 40,
    height: 20,
    text: 'A swan',
  });
  const from = pageSession(seed);
  const source = openPage(from, true, filesOf(page(1)));
  source.editor.commands.selectAll();
  const { html } = copyFrom(source);
  for (const [document, file, copies] of [
    [page(1), attachment(7), []],
    [page(2), attachment(101), [{ document: page(1), id: attachment(7) }]],
  ] as const) {
    const session = pageSession();
    const files = filesOf(document);
    const target = openPage(session, true, files);
    target.caret(0, 0);
    paste(target.editor.view.dom, [], { 'text/html': html, 'text/plain': 'A swan' });
    expect(linesOf(session)).toContain('image A swan');
    expect(picturesOf(session)[0]).toMatchObject({ file, name: 'swan.png', width: 40, height: 20 });
    expect(files.copied.map((copy) => copy.from)).toEqual(copies);
  }
});

test('if a paste with pictures fails, nothing waits for it any more', async () => {
  const session = pageSession(pageSeed('here'));
  const files = filesOf(page(1));
  const add = files.add.bind(files);
  vi.spyOn(files, 'add').mockImplementationOnce(add).mockRejectedValueOnce(new Error('no room'));
  const here = openPage(session, true, files);
  here.caret(0, 0);
  const images = ['a', 'b'].map((bytes) => `<img src="data:image/png;base64,${btoa(bytes)}">`);
  paste(here.editor.view.dom, [], { 'text/html': images.join('') });
  await expect.poll(() => files.cancelled).toEqual([attachment(1)]);
  expect(linesOf(session)).toEqual(['paragraph: here']);
  const { state } = here.editor;
  const positions = state.plugins.map((plugin): unknown => plugin.getState(state)).filter((one) => one instanceof Map);
  expect(positions).toEqual([new Map()]);
});

test('on a full page no copy of another page’s picture is left waiting', async () => {
  const seed = pageSeed({ node: 'image', file: attachment(7), name: 'swan.png', width: 40, height: 20, text: '' });
  const source = openPage(pageSession(seed), true, filesOf(page(1)));
  source.editor.commands.selectAll();
  const { html } = copyFrom(source);
  const session = pageSession();
  const files = filesOf(page(2));
  const target = openPage(session, true, files);
  session.roomBytes = 10;
  target.caret(0, 0);
  paste(target.editor.view.dom, [], { 'text/html': html });
  expect(files.cancelled).toEqual([attachment(101)]);
  paste(target.editor.view.dom, [], { 'text/html': `${html}<img src="data:image/png;base64,${btoa('abc')}">` });
  await expect.poll(() => files.cancelled).toEqual([101, 102, 103].map(attachment));
  expect(linesOf(session)).toEqual(['paragraph: ']);
});

test('a picture shows its state in words, and its size does not change with it', async () => {
  const files = filesOf(page(1));
  const seed = pageSeed({ node: 'image', file: attachment(1), name: 'swan.png', width: 200, height: 100 });
  const here = openPage(pageSession(seed), true, files);
  const picture = must(here.editor.view.dom.querySelector<HTMLElement>('.picture'));
  const words = () => picture.querySelector('.picture-note')?.textContent;
  const size = () => [picture.offsetWidth, picture.offsetHeight];
  expect(size()).toEqual([200, 100]);
  const show = (view: Partial<FileView>) => {
    files.show(attachment(1), { state: 'here', url: null, upload: null, ...view });
    expect(size()).toEqual([200, 100]);
  };
  show({ state: 'missing' });
  expect(words()).toBe('Not on the server: it isn’t uploaded yet, or the server has lost it.');
  show({ state: 'offline' });
  expect(words()).toBe('Shown when you are online again.');
  show({ upload: { state: 'waiting', fraction: 0, why: null } });
  expect(words()).toBe('Waiting on this device');
  show({ upload: { state: 'failed', fraction: 0, why: 'You can view this page, not edit it.' } });
  expect(words()).toBe('Couldn’t be uploaded. You can view this page, not edit it.');
  const buttons = () => Array.from(picture.querySelectorAll('button'), (button) => button.textContent);
  expect(buttons()).toEqual(['Try again', 'Cancel']);
  show({ url: 'data:image/png;base64,AAAA' });
  await vi.waitFor(() => expect(words()).toBe('This picture couldn’t be shown.'));
});

test('a picture that may not be drawn is offered as a file, on the page and in the large view', async () => {
  const session = pageSession();
  const files = filesOf(page(1));
  const here = openPage(session, true, files);
  here.caret(0, 0);
  paste(here.editor.view.dom, [png()]);
  await expect.poll(() => picturesOf(session).length).toBe(1);
  const undrawable: FileView = { state: 'undrawable', url: null, upload: null };
  files.show(attachment(1), undrawable);
  const { dom } = here.editor.view;
  expect(picture(dom).textContent).toContain(FILE_TEXTS.undrawable);
  expect(picture(dom).querySelector('img')).toBeNull();
  expect([...picture(dom).querySelectorAll('button')].map((button) => button.textContent)).toEqual(['Download']);
  openPicture(files, attachment(2), { name: 'huge', width: 9, height: 9, caption: '' });
  files.show(attachment(2), undrawable);
  const dialog = screen.getByRole('dialog', { name: 'huge' });
  await expect.element(dialog.getByText(FILE_TEXTS.undrawable)).toBeVisible();
  await userEvent.keyboard('{Escape}');
});

test('a cancelled upload is removed from the page', () => {
  const files = filesOf(page(1));
  const session = pageSession(pageSeed('above', { node: 'image', file: attachment(1), name: 'swan.png' }));
  const here = openPage(session, true, files);
  files.show(attachment(1), { state: 'loading', url: null, upload: { state: 'waiting', fraction: 0, why: null } });
  here.editor.view.dom.querySelector<HTMLElement>('.picture button')?.click();
  expect(files.cancelled).toEqual([attachment(1)]);
  expect(linesOf(session)).toEqual(['paragraph: above']);
});

test('opening a page with pictures writes nothing', () => {
  const session = pageSession(pageSeed({ node: 'image', file: attachment(1), name: 'a' }, { node: 'file', name: 'b' }));
  openPage(session, true, filesOf(page(1)));
  expect(session.localUpdates).toEqual([]);
});

/** The URL of a picture of this size. */
async function drawn(width: number, height: number): Promise<string> {
  const canvas = new OffscreenCanvas(width, height);
  canvas.getContext('2d')?.fillRect(0, 0, width, height);
  return URL.createObjectURL(await canvas.convertToBlob());
}

test('the tools of a tiny picture are beside it, all within reach', async () => {
  const files = filesOf(page(1));
  const session = pageSession(
    pageSeed('a', { node: 'image', file: attachment(1), name: 'dot', width: 16, height: 16 }),
  );
  const { editor } = openPage(session, true, files);
  files.show(attachment(1), { state: 'here', url: await drawn(16, 16), upload: null });
  const picture = editor.view.dom.querySelector('.picture');
  if (picture === null) throw new Error('no picture');
  await userEvent.hover(picture);
  const buttons = Array.from(picture.querySelectorAll('button'));
  expect(buttons.map(({ textContent }) => textContent)).toEqual(['Open', 'Download']);
  for (const button of buttons) {
    const box = button.getBoundingClientRect();
    expect([button.scrollWidth, button.scrollHeight]).toEqual([button.clientWidth, button.clientHeight]);
    expect(box.left).toBeGreaterThanOrEqual(picture.getBoundingClientRect().right);
    for (const x of [box.left + 2, box.right - 2]) {
      expect(document.elementFromPoint(x, box.top + box.height / 2)).toBe(button);
    }
  }
});

test('a tall picture opens as a whole, centered, and is read at its actual size with the keyboard', async () => {
  await screen.viewport(800, 600);
  const files = filesOf(page(1));
  openPicture(files, attachment(1), { name: 'long', width: 500, height: 4000, caption: '' });
  files.show(attachment(1), { state: 'here', url: await drawn(500, 4000), upload: null });
  const dialog = screen.getByRole('dialog', { name: 'long' });
  const image = screen.getByRole('img', { name: 'long' });
  const larger = screen.getByRole('button', { name: 'Actual size' });
  await expect.element(larger).toBeVisible();
  const [outer, inner] = [dialog, image].map((one) => one.element().getBoundingClientRect());
  if (outer === undefined || inner === undefined) throw new Error('no dialog');
  expect(inner.bottom).toBeLessThanOrEqual(outer.bottom);
  expect(Math.abs(inner.left + inner.right - outer.left - outer.right)).toBeLessThan(2);
  larger.element().focus();
  await userEvent.keyboard('{Enter}');
  expect(image.element().getBoundingClientRect().width).toBe(500);
  const { top } = image.element().getBoundingClientRect();
  await userEvent.keyboard('{PageDown}');
  await expect.poll(() => image.element().getBoundingClientRect().top).toBeLessThan(top - 200);
  await userEvent.click(screen.getByRole('button', { name: 'Fit to window' }));
  expect(image.element().getBoundingClientRect().height).toBeLessThan(600);
  await userEvent.click(image);
  expect(image.element().getBoundingClientRect().height).toBe(4000);
  await userEvent.keyboard('{Escape}');
  expect(dialog.query()).toBeNull();
});

test('a large picture closes when the browser goes back to another page', async () => {
  openPicture(filesOf(page(1)), attachment(1), { name: 'long', width: 500, height: 4000, caption: '' });
  const dialog = screen.getByRole('dialog', { name: 'long' });
  expect(dialog.query()).not.toBeNull();
  dispatchEvent(new PopStateEvent('popstate'));
  await expect.poll(() => dialog.query()).toBeNull();
});

test('"/picture" and Enter open the file dialog each time, after a cancelled one too', async () => {
  const session = pageSession(pageSeed('words'));
  const files = filesOf(page(1));
  const opened = openPage(session, true, files);
  const dialogs = await countFileDialogs();
  opened.caret(0, -1);
  for (const times of [1, 2, 3]) {
    await opened.press(times === 2 ? ' /picture{Enter}' : '{Enter}/picture{Enter}');
    await expect.poll(dialogs).toBe(times);
  }
  await opened.press('on');
  expect(linesOf(session)).toEqual(['paragraph: words', 'paragraph:  ', 'paragraph: on']);
});
