// The content of a page or a text, to be put into another page: with a history of its own, and files copied by the server.
import type { PageFile } from 'weft-document/formats/page-json.ts';
import type { DocumentId } from 'weft-sync/protocol/ids.ts';
import type { PersonState } from '../../state/person/person-state.ts';
import { exportPage } from './export-page.ts';
import { type ReadImport, readImport } from './read-import.ts';
import { readySession } from './ready-session.ts';

export type ContentSource =
  | { readonly of: 'page'; readonly id: DocumentId }
  /** An earlier version of a page. */
  | { readonly of: 'file'; readonly id: DocumentId; readonly file: PageFile }
  | { readonly of: 'markdown'; readonly text: string };

export type ContentFailure = { readonly ok: false; readonly why: string };
type Content = Extract<ReadImport, { readonly ok: true }>;
type Person = Pick<PersonState, 'pages' | 'store'>;

/** Calls `run` with the content. A page stays open that long, because its files are copied from it. */
export async function withContent<T>(
  source: ContentSource,
  person: Person,
  run: (content: Content) => Promise<T>,
): Promise<T | ContentFailure> {
  if (source.of === 'markdown') return runWith(await readImport(new File([source.text], 'page.md'), () => null), run);
  const original = person.pages.acquire(source.id);
  try {
    const session = await readySession(original.value, person.store);
    if (session === null) return { ok: false, why: 'This page didn’t open.' };
    // The lossless format, so that the copy is the same.
    const text =
      source.of === 'file'
        ? JSON.stringify({ ...source.file, document: source.id })
        : (await exportPage(session.doc, 'json', original.value.files)).text;
    return await runWith(await readImport(new File([text], 'page.json'), () => null), run);
  } finally {
    original.release();
  }
}

async function runWith<T>(read: ReadImport, run: (content: Content) => Promise<T>): Promise<T | ContentFailure> {
  return read.ok ? run(read) : { ok: false, why: `The page can’t be copied: ${read.why}.` };
}

/** Appends the content to a page, in place of the empty paragraph of a blank one. A page that has a title keeps it. */
export async function fillPageWith(
  id: DocumentId,
  content: Content,
  person: Person,
  titleOf: (title: string) => string = (title) => title,
): Promise<{ readonly ok: true; readonly title: string } | ContentFailure> {
  const page = person.pages.acquire(id);
  try {
    const session = await readySession(page.value, person.store);
    if (session === null) return { ok: false, why: 'The copy didn’t open.' };
    const { title } = await content.fill(session.doc, page.value.files);
    const wanted = titleOf(title);
    if (wanted !== title) page.value.setTitle(wanted);
    return { ok: true, title: wanted };
  } finally {
    page.release();
  }
}
