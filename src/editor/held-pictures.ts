// The pictures that a text from elsewhere holds itself, as `data:` addresses.
import { type LooseBlock, mapRuns } from '../document/loose-block.ts';
import type { FindPicture } from './give-pictures.ts';

const DATA_PICTURE = /data:(image\/(png|jpeg|gif|webp|avif));base64,([A-Za-z0-9+/=]+)/g;

export type HeldPictures = {
  /** The text with a short address in the place of each picture. */
  readonly text: string;
  readonly find: FindPicture;
  /** Where an address was words, in an example of code: as it was. */
  readonly putBack: (block: LooseBlock) => LooseBlock;
};

/** Long addresses are no words: each is taken out, and a short one stands for it while the text is read. */
export function takeOutPictures(text: string): HeldPictures {
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
    find: (address) => taken.get(address)?.file ?? null,
    putBack: (block) => mapRuns(block, (run) => (run.text.includes(key) ? { ...run, text: asWritten(run.text) } : run)),
  };
}

function bytesOfBase64(data: string) {
  try {
    return Uint8Array.from(atob(data), (char) => char.charCodeAt(0));
  } catch {
    return null;
  }
}
