// The block “Subpages” in a file, which no one keeps up to date: a plain list of links.
import { parseLinkUrl } from '../link-url.ts';
import { type Block, PLAIN, parseStyle } from './block.ts';

export type ListedPage = { readonly title: string; readonly address: string };

/** Each such block becomes one bullet for each page. */
export const listSubpages = (blocks: readonly Block[], pages: readonly ListedPage[]): readonly Block[] =>
  blocks.flatMap((block): readonly Block[] =>
    block.type === 'subpages'
      ? pages.map(({ title, address }, at) => ({
          type: 'block',
          key: `${block.key} ${at}`,
          id: null,
          ...parseStyle({ kind: 'bullet' }),
          runs: [{ ...PLAIN, text: title, link: parseLinkUrl(address) }],
        }))
      : [block],
  );
