// Blocks that are not text, for reading, such as pictures, files and tables. Renders the same elements and classes as
// `src/editor/schema/non-text-nodes.ts`.
import type { Block, TextBlock } from 'weft-document/blocks/block.ts';
import type { PageFiles } from '../../ports/files.ts';
import { CONTENT_TEXTS } from '../../texts/content-texts.ts';
import { StaticUnsupportedBlock } from '../../ui/blocks/static-unsupported-block.tsx';
import { cardHost, cardTitle } from '../links/card-text.ts';
import { SubpagesList } from '../subpages/subpages-list.tsx';
import { StaticFile, StaticPicture } from './static-files.tsx';
import { BlockAside, useBlockAttributes, useTextMarks } from './static-marks.tsx';
import { StaticMath } from './static-math.tsx';
import { Runs } from './static-runs.tsx';
import { StaticTable } from './static-table.tsx';

type StaticOtherProps = {
  readonly block: Exclude<Block, TextBlock>;
  /** How many rows of a table are drawn. */
  readonly rowCount: number;
  readonly files: PageFiles | null;
};

export function StaticOther({ block, rowCount, files }: StaticOtherProps) {
  const marks = useTextMarks(block.key);
  const outer = {
    className: 'block',
    'data-kind': block.type,
    'data-key': block.key,
    ...useBlockAttributes(block.key),
  };

  const aside = <BlockAside />;
  switch (block.type) {
    case 'divider':
      return (
        <div {...outer}>
          <hr className="block-rule" />
          {aside}
        </div>
      );
    case 'image':
      return (
        <figure {...outer}>
          <StaticPicture block={block} files={files} />
          <figcaption className="block-text" dir="auto">
            <Runs runs={block.runs} fresh={null} plain={false} marks={marks} />
          </figcaption>
          {aside}
        </figure>
      );
    case 'file':
      return (
        <div {...outer}>
          <StaticFile block={block} files={files} />
          {aside}
        </div>
      );
    case 'table':
      return <StaticTable block={block} rowCount={rowCount} />;
    case 'math':
      return (
        <div {...outer}>
          <StaticMath tex={block.tex} />
          {aside}
        </div>
      );
    case 'embed':
      return (
        <div {...outer}>
          <a
            className="block-card"
            {...(block.url === null ? {} : { href: block.url })}
            target="_blank"
            rel="noopener noreferrer nofollow"
          >
            <span className="card-title" dir="auto">
              {cardTitle(block)}
            </span>
            <span className="card-host">{cardHost(block)}</span>
          </a>
          {aside}
        </div>
      );
    case 'subpages':
      return (
        <div {...outer}>
          <SubpagesList />
          {aside}
        </div>
      );
    case 'unknown':
      return (
        <StaticUnsupported
          block={block}
          note={block.name === null ? CONTENT_TEXTS.looseContent : CONTENT_TEXTS.newerBlock}
          text={block.text}
        />
      );
  }
}

type StaticUnsupportedProps = { readonly block: Block; readonly note: string; readonly text: string };

export const StaticUnsupported = ({ block, note, text }: StaticUnsupportedProps) => (
  <div className="block" data-kind="unknown" data-key={block.key} {...useBlockAttributes(block.key)}>
    <StaticUnsupportedBlock note={note} text={text} onDelete={null} />
    <BlockAside />
  </div>
);
