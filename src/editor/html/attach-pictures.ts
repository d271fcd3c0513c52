// Stores the pictures that imported or pasted text refers to among the page's files, and makes blocks of them in their
// places.
import type { Run } from 'weft-document/blocks/block.ts';
import {
  type DetachedBlock,
  joinRuns,
  mapRuns,
  runsIn,
  textBlock,
  trimRuns,
} from 'weft-document/blocks/detached-block.ts';
import type { AddedFile, WritableFiles } from '../../ports/files.ts';
import { FILE_TEXTS } from '../../texts/file-texts.ts';

/** The file behind an address in the text. */
export type FindPicture = (address: string) => File | null;

/** A file that could not be stored, and the reason. */
export type PictureFailure = { readonly name: string; readonly why: string };

/**
 * A picture inside text goes after its block, because a line of text cannot hold one. If it could not be stored, its name
 * or its description stays in the text.
 */
export async function attachPictures(
  blocks: readonly DetachedBlock[],
  find: FindPicture,
  files: Pick<WritableFiles, 'add'>,
): Promise<{ readonly blocks: readonly DetachedBlock[]; readonly failures: readonly PictureFailure[] }> {
  const known = new Map<File, AddedFile | null>();
  const failures: PictureFailure[] = [];
  const addFile = async (address: string): Promise<AddedFile | null> => {
    const file = find(address);
    if (file === null) return null;
    if (!known.has(file)) {
      const stored = await files.add(file);
      if (!stored.ok) failures.push({ name: file.name, why: FILE_TEXTS[stored.error] });
      known.set(file, stored.ok ? stored.value : null);
    }
    return known.get(file) ?? null;
  };
  const result: DetachedBlock[] = [];
  for (const block of blocks) {
    if (block.type === 'image') {
      const file = block.file === null ? await addFile(block.name) : null;
      const name = block.file === null ? (find(block.name)?.name ?? block.name) : block.name;
      result.push(...(file === null ? [{ ...block, name }] : blocksOfFile(file, block.runs)));
      continue;
    }
    /** Null: it could not be stored. */
    const pictures = new Map<string, AddedFile | null>();
    for (const { link } of runsIn(block)) {
      if (link !== null && find(link) !== null) pictures.set(link, await addFile(link));
    }
    let before = ' ';
    let isGap = false;
    const withoutPicture = (run: Run): Run => {
      const isPicture = run.link !== null && pictures.has(run.link);
      const name = isPicture && pictures.get(run.link) === null ? find(run.link)?.name : '';
      const words = isPicture && run.text === run.link ? (name ?? '') : run.text;
      // Removes one of the two spaces around the picture.
      const text = isGap && before.endsWith(' ') ? words.replace(/^ /, '') : words;
      isGap = words === '';
      if (text !== '') before = text;
      return isPicture ? { ...run, link: null, text } : { ...run, text };
    };
    const words = pictures.size === 0 ? block : trimBlock(mapRuns(block, withoutPicture));
    // The block held nothing but pictures.
    const isEmpty =
      pictures.size > 0 && block.type === 'block' && runsIn(words).every(({ text }) => text.trim() === '');
    if (!isEmpty) result.push(words);
    for (const file of pictures.values()) if (file !== null) result.push(...blocksOfFile(file, []));
  }
  return { blocks: result, failures };
}

const trimBlock = (block: DetachedBlock): DetachedBlock =>
  block.type === 'block' ? { ...block, runs: trimRuns(block.runs) } : block;

/** A file that is not a picture becomes a file block, and its caption a text block after it. */
function blocksOfFile(added: AddedFile, runs: readonly Run[]): readonly DetachedBlock[] {
  if (added.kind === 'image') {
    const { id, name, width, height } = added;
    return [{ type: 'image', file: id, name, width, height, size: null, runs }];
  }
  const { id, name, bytes, mime } = added;
  return [{ type: 'file', file: id, name, bytes, mime }, ...(runs.length === 0 ? [] : [textBlock({}, joinRuns(runs))])];
}
