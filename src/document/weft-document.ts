// The exports of the npm package `weft-document`. The app imports the files themselves.
export type { Block, Marks, Run, TableBlock, TableCell } from './blocks/block.ts';
export type { DetachedBlock } from './blocks/detached-block.ts';
export { type Heading, outlineOf } from './blocks/outline.ts';
export { elementsOfBlocks, fillPage } from './body/fill-page.ts';
export { textOfBlocks } from './body/body-text.ts';
export { parseBody } from './body/parse-body.ts';
export { comparePages } from './changes/compare-pages.ts';
export type { ChangedBlock, PageChanges, RemovedBlocks } from './changes/page-changes.ts';
export { docOfFile } from './formats/doc-of-file.ts';
export { type PageFile, pageToJson, parsePageFile } from './formats/page-json.ts';
export { htmlDocument } from './html/html-document.ts';
export { blocksToMarkdown } from './markdown/blocks-to-markdown.ts';
export { markdownToBlocks } from './markdown/markdown-to-blocks.ts';
export type { MarkdownOptions } from './markdown/mdast-to-blocks.ts';
export { titleText } from './title.ts';
