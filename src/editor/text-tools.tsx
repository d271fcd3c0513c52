// The bars, menus and handles beside a text that may be edited. Loads once the text is on the screen.
import type { PageEditorParts } from './create-page-editor.ts';
import { CardOfferBar } from './links/card-offer-bar.tsx';
import { LinkCard } from './links/link-card.tsx';
import { BlockMenus } from './menus/block-menus.tsx';
import { FormatBar } from './menus/format-bar.tsx';
import { SelectionBar } from './menus/selection-bar.tsx';
import type { WordQuestions } from './menus/word-questions.ts';
import { TableTools } from './tables/table-tools.tsx';
import type { MentionNames } from './typed-menu/mention-names.ts';
import { TypedMenuList } from './typed-menu/typed-menu-list.tsx';

type TextToolsProps = {
  readonly parts: PageEditorParts;
  readonly pages: MentionNames['pages'];
  readonly visit: (address: string) => void;
  readonly questions: WordQuestions | null;
  /** Null where the person may not comment. */
  readonly comment: (() => void) | null;
};

export const TextTools = ({ parts, pages, visit, questions, comment }: TextToolsProps) => (
  <>
    <SelectionBar {...parts} {...{ pages, questions, comment }} />
    <LinkCard {...parts} visit={visit} />
    <TypedMenuList {...parts} />
    <TableTools {...parts} />
    <FormatBar {...parts} comment={comment} />
    <BlockMenus {...parts} />
    <CardOfferBar {...parts} />
  </>
);
