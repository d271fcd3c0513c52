// Who reads the page's comments: a line below the people, with a menu for managers.
import Check from 'lucide-react/icons/check';
import ChevronDown from 'lucide-react/icons/chevron-down';
import MessageSquare from 'lucide-react/icons/message-square';
import type { CommentReaders } from '../../protocol/people-answers.ts';
import type { PagePeopleState } from '../../state/workspace/access/page-people.ts';
import { problemOf } from '../../texts/error-texts.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Menu, MenuItem } from '../../ui/floating/menu.tsx';
import { toast, toastWithUndo } from '../../ui/floating/toast.tsx';
import { COMMENT_READERS } from './access-text.ts';

type CommentReadersProps = {
  readonly readers: CommentReaders;
  readonly people: PagePeopleState;
  readonly mayManage: boolean;
};

export function CommentReadersRow({ readers, people, mayManage }: CommentReadersProps) {
  const name = nameOf(readers);
  const change = async (next: CommentReaders) => {
    const problem = problemOf(await people.setCommentReaders(next));
    if (problem !== null) return toast(problem);
    toastWithUndo(`${nameOf(next)} can read the comments`, async () =>
      problemOf(await people.setCommentReaders(readers)),
    );
  };
  return (
    <div className="access-row" role="group" aria-label="Who can read comments">
      <span className="tag" data-size="large" data-more>
        <MessageSquare className="icon" />
      </span>
      <p className="grow">
        Comments
        <small>Who can read them</small>
      </p>
      {mayManage ? (
        <Menu
          align="end"
          trigger={
            <Button look="plain" className="access-role" aria-label={`Who can read comments: ${name}`}>
              {name}
              <ChevronDown className="icon" />
            </Button>
          }
        >
          {COMMENT_READERS.map((one) => (
            <MenuItem
              key={one.readers}
              icon={
                one.readers === readers ? <Check className="icon" aria-label="Chosen" /> : <span className="icon" />
              }
              onSelect={one.readers === readers ? () => undefined : () => void change(one.readers)}
            >
              <span className="menu-words">
                {one.name}
                <small>{one.text}</small>
              </span>
            </MenuItem>
          ))}
        </Menu>
      ) : (
        <span className="access-role">{name}</span>
      )}
    </div>
  );
}

const nameOf = (readers: CommentReaders): string =>
  COMMENT_READERS.find((one) => one.readers === readers)?.name ?? readers;
