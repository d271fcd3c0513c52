// Which part of a grey block's text is shown: laying out a long text at once would block the page.
import { GREY_TEXT_CHARACTERS } from './drawing-limits.ts';

/** The first `parts` parts of the text, and how many characters are left. */
export function shownParts(text: string, parts: number): { readonly shown: string; readonly left: number } {
  const end = Math.min(text.length, parts * GREY_TEXT_CHARACTERS);
  // Half a surrogate pair would be drawn as a replacement character.
  const isInsidePair = end < text.length && /[\uD800-\uDBFF]/.test(text.charAt(end - 1));
  const cut = isInsidePair ? end - 1 : end;
  return { shown: text.slice(0, cut), left: text.length - cut };
}
