// Finds the letters of an update in its bytes, so that they can be overwritten without anything else changing.
import * as Y from 'yjs';
import type { Bytes } from '../../lib/bytes.ts';
import { firstIndex } from '../../lib/lists/first-index.ts';
import { isErased } from './erased-signs.ts';
import { StrictDecoderV1 } from './strict-decoder.ts';

/** Half-open ranges of clocks, by client, in order. */
export type LetterRanges = ReadonlyMap<number, readonly (readonly [from: number, to: number])[]>;

/** The bytes `first` to `last` of a text that begins at byte `start` and has `size` bytes. */
export type TextPlace = readonly [start: number, size: number, first: number, last: number];

type ReadText = { readonly text: string; readonly end: number };

/** Remembers where the last text of each struct ends. In a struct with letters, that text is its content. */
class TextDecoder1 extends StrictDecoderV1 {
  readonly texts: (ReadText | null)[] = [];
  override readInfo(): number {
    this.texts.push(null);
    return super.readInfo();
  }
  override readString(): string {
    const text = super.readString();
    this.texts[this.texts.length - 1] = { text, end: this.restDecoder.pos };
    return text;
  }
}

const encoder = new TextEncoder();

/** Null if the bytes are no update. */
export function textPlaces(update: Bytes, ranges: LetterRanges): readonly TextPlace[] | null {
  if (update.length === 0) return [];
  const decoders: TextDecoder1[] = [];
  class Remembered extends TextDecoder1 {
    constructor(decoder: ConstructorParameters<typeof TextDecoder1>[0]) {
      super(decoder);
      decoders.push(this);
    }
  }
  let structs: readonly (Y.Item | Y.GC | Y.Skip)[];
  try {
    ({ structs } = Y.decodeUpdateV2(update, Remembered));
  } catch {
    return null;
  }
  const texts = decoders[0]?.texts ?? [];
  return structs.flatMap((struct, index) => {
    const read = texts[index];
    if (!(struct instanceof Y.Item) || !(struct.content instanceof Y.ContentString) || read == null) return [];
    const { client, clock } = struct.id;
    const size = encoder.encode(read.text).length;
    const start = read.end - size;
    const places: TextPlace[] = [];
    const list = ranges.get(client) ?? [];
    // Letters and bytes before the place.
    let [letters, bytes] = [0, 0];
    for (let at = firstIndex(list.length, (index) => (list[index]?.[1] ?? 0) > clock); at < list.length; at++) {
      const [from, to] = list[at] ?? [0, 0];
      if (from >= clock + read.text.length) break;
      const first = Math.max(letters, wholeLetter(read.text, Math.max(0, from - clock), 0));
      const last = wholeLetter(read.text, Math.min(read.text.length, to - clock), 1);
      const erased = read.text.slice(first, last);
      // Letters that were erased before are not erased again.
      if (first >= last || isErased(erased)) continue;
      const before = bytes + encoder.encode(read.text.slice(letters, first)).length;
      bytes = before + encoder.encode(erased).length;
      letters = last;
      places.push([start, size, before, bytes]);
    }
    return places;
  });
}

/** Half of a surrogate pair cannot be overwritten: the whole one goes. */
function wholeLetter(text: string, at: number, step: 0 | 1): number {
  const code = at > 0 && at < text.length ? text.charCodeAt(at) : 0;
  const isInPair = code >= 0xdc00 && code <= 0xdfff && /[\ud800-\udbff]/.test(text.charAt(at - 1));
  return isInPair ? at + (step === 0 ? -1 : 1) : at;
}
