// Turns pasted plain text into blocks, one for each line, without reading it as Markdown.
import { plainRun, textBlock } from 'weft-document/blocks/detached-block.ts';
import { parseLinkUrl } from 'weft-document/link-url.ts';
import type { PastedBlock } from '../html/pasted-block.ts';

/** Each line becomes a block; a line that is only a URL becomes a link. */
export function textBlocks(text: string): readonly PastedBlock[] {
  const lines = text.split('\n');
  if (lines.length > 1 && lines.at(-1) === '') lines.pop();
  return lines.map((line) => textBlock({}, line === '' ? [] : [{ ...plainRun(line), link: pastedUrl(line) }]));
}

/** The URL, if the text is nothing else. */
export const pastedUrl = (text: string): string | null =>
  /^(?:https?:\/\/|mailto:)\S+$/i.test(text.trim()) ? parseLinkUrl(text.trim()) : null;
