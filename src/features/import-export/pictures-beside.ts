// The pictures that were chosen together with imported texts.
import type { FindPicture } from '../../editor/html/attach-pictures.ts';
import { PICTURE_TYPES } from '../../protocol/attachment.ts';

export const isPicture = ({ type }: Pick<File, 'type'>): boolean => PICTURE_TYPES.includes(type);

/** Finds a picture by the file name in its address, whatever folder the address says. */
export function picturesBeside(files: readonly File[]) {
  const all = new Map(files.filter(isPicture).map((file) => [file.name.toLowerCase(), file]));
  const remaining = new Set(all.values());
  const find: FindPicture = (address) => {
    const file = all.get(fileNameIn(address).toLowerCase()) ?? null;
    if (file !== null) remaining.delete(file);
    return file;
  };
  return {
    find,
    /** The pictures that no text asked for. */
    unused: (): readonly File[] => [...remaining],
  };
}

function fileNameIn(address: string): string {
  const name = address.replace(/[?#].*$/, '').replace(/^.*[\\/]/, '');
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
