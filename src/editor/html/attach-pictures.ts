// Uploads the pictures that imported or pasted text refers to, and puts them in their places.
import type { Run } from '../../document/blocks/block.ts';
import {
  type DetachedBlock,
  joinRuns,
  mapRuns,
  runsIn,
  textBlock,
  trimRuns,
} from '../../document/blocks/detached-block.ts';
import { FILE_TEXTS } from '../../protocol/errors.ts';
import type { AddedFile, WritableFiles } from '../../state/file-ports.ts';

/** The file behind an address in the text. */
export type FindPicture = (address: string) => File | null;

/** A file that could not be stored, and the reason. */
export type PictureFailure = { readonly name: string; readonly why: string };

/** A picture inside text goes after its block, because a line of text cannot hold one. */
export async function attachPictures(
  blocks: readonly DetachedBlock[],
  find: FindPicture,
  files: Pick<WritableFiles, 'add'>,
): Promise<{ readonly blocks: readonly DetachedBlock[]; readonly failures: readonly PictureFailure[] }> {
  const known = new Map<File, AddedFile | null>();
  const failures: PictureFailure[] = [];
  const added = async (address: string): Promise<AddedFile | null> => {
    const file = find(address);
    if (file === null) return null;
    if (!known.has(file)) {
      const result = await files.add(file);
      if (!result.ok) failures.push({ name: file.name, why: FILE_TEXTS[result.error] });
      known.set(file, result.ok ? result.value : null);
    }
    return known.get(file) ?? null;
  };
  const given: DetachedBlock[] = [];
  for (const block of blocks) {
    if (block.type === 'image') {
      const file = block.file === null ? await added(block.name) : null;
      given.push(...(file === null ? [block] : blocksOfFile(file, block.runs)));
      continue;
    }
    const behind = new Map<string, AddedFile>();
    for (const { link } of runsIn(block)) {
      const file = link === null ? null : await added(link);
      if (link !== null && file !== null) behind.set(link, file);
    }
    let before = ' ';
    let isGap = false;
    const unlinked = (run: Run): Run => {
      const isPicture = run.link !== null && behind.has(run.link);
      const words = isPicture && run.text === run.link ? '' : run.text;
      // Removes one of the two spaces around the picture.
      const text = isGap && before.endsWith(' ') ? words.replace(/^ /, '') : words;
      isGap = words === '';
      if (text !== '') before = text;
      return isPicture ? { ...run, link: null, text } : { ...run, text };
    };
    const words = behind.size === 0 ? block : trimmed(mapRuns(block, unlinked));
    // The block held nothing but pictures.
    const isEmpty = behind.size > 0 && block.type === 'block' && runsIn(words).every(({ text }) => text.trim() === '');
    if (!isEmpty) given.push(words);
    for (const file of behind.values()) given.push(...blocksOfFile(file, []));
  }
  return { blocks: given, failures };
}

const trimmed = (block: DetachedBlock): DetachedBlock =>
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
