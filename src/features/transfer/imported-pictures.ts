// The pictures of an imported text: those it holds itself, as `data:` addresses, and those that were chosen beside it.
import { type LooseBlock, mapRuns } from '../../document/loose-block.ts';
import { PICTURE_TYPES } from '../../protocol/attachment.ts';

/** The file that a text's address names. */
export type FindPicture = (address: string) => File | null;

export const isPicture = ({ type }: Pick<File, 'type'>): boolean => PICTURE_TYPES.includes(type);

/** Pictures chosen together with texts: found by their name, whatever folder a text says they are in. */
export function picturesBeside(files: readonly File[]) {
  const all = new Map(files.filter(isPicture).map((file) => [file.name.toLowerCase(), file]));
  const left = new Set(all.values());
  const find: FindPicture = (address) => {
    const file = all.get(lastPart(address).toLowerCase()) ?? null;
    if (file !== null) left.delete(file);
    return file;
  };
  return {
    find,
    /** Those that no text named. */
    left: (): readonly File[] => [...left],
  };
}

function lastPart(address: string): string {
  const name = address.replace(/[?#].*$/, '').replace(/^.*[\\/]/, '');
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

const DATA_PICTURE = /data:(image\/(png|jpeg|gif|webp|avif));base64,([A-Za-z0-9+/=]+)/g;

/** Long addresses are no words: each is taken out, and a short one stands for it while the text is read. */
export function takeOutPictures(text: string) {
  const taken = new Map<string, { readonly file: File; readonly address: string }>();
  const key = crypto.randomUUID();
  const short = text.replace(DATA_PICTURE, (address, mime: string, end: string, data: string) => {
    const bytes = bytesOfBase64(data);
    if (bytes === null) return address;
    const name = `picture-${taken.size + 1}.${end === 'jpeg' ? 'jpg' : end}`;
    taken.set(`${key}-${name}`, { file: new File([bytes], name, { type: mime }), address });
    return `${key}-${name}`;
  });
  const asWritten = (words: string) =>
    Array.from(taken).reduce((all, [name, { address }]) => all.replaceAll(name, address), words);
  return {
    text: short,
    find: (address: string): File | null => taken.get(address)?.file ?? null,
    /** Where an address was words, in an example of code: as it was. */
    putBack: (block: LooseBlock): LooseBlock =>
      mapRuns(block, (run) => (run.text.includes(key) ? { ...run, text: asWritten(run.text) } : run)),
  };
}

function bytesOfBase64(data: string) {
  try {
    return Uint8Array.from(atob(data), (char) => char.charCodeAt(0));
  } catch {
    return null;
  }
}
