// Whether the page is open to the workspace or restricted, and the buttons that change it.
import Lock from 'lucide-react/icons/lock';
import { useState } from 'react';
import type { DocumentId } from 'weft-sync/protocol/ids.ts';
import type { PagePeople } from '../../protocol/people-answers.ts';
import { useListedPage, useValue, useWorkspace } from '../../state/hooks.ts';
import type { PagePeopleState } from '../../state/workspace/access/page-people.ts';
import type { LinkList, Sharing } from '../../state/workspace/access/sharing.ts';
import { isOpenToWorkspace } from '../../state/workspace/tree/page-index.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Banner } from '../../ui/feedback/banner.tsx';
import { LayerBoundary } from '../../ui/feedback/error-boundary.tsx';
import { AccessDialog, type AccessGoal } from './access-dialog.tsx';
import type { AccessWords } from './access-text.ts';

type AccessModeProps = {
  readonly page: DocumentId;
  readonly title: string;
  readonly access: PagePeople;
  readonly words: AccessWords;
  readonly people: PagePeopleState;
  readonly sharing: Sharing;
  readonly links: LinkList['links'];
  readonly mayManage: boolean;
};

/** Above the people: says that the page is restricted, with the way back. Nothing while the workspace can open it. */
export function RestrictedBanner(props: AccessModeProps) {
  const { access, page, words, mayManage } = props;
  const [goal, setGoal] = useState<AccessGoal | null>(null);
  const goals = useAccessGoals(props);
  if (access.resolvedAccess === 'workspace') return null;
  const from = access.resolvedFrom === null || access.resolvedFrom === page ? null : words.titleOf(access.resolvedFrom);
  const start =
    access.access === 'inherit' ? `Restricted by ${from === null ? 'a page above' : `“${from}”`}.` : 'Restricted.';
  const who = words.hasLinks ? 'the people below, and people with a link,' : 'the people below';
  return (
    <>
      <Banner
        kind="info"
        icon={<Lock className="icon" />}
        action={
          mayManage && (
            <Button size="small" onClick={() => setGoal(goals.open)}>
              Open to everyone…
            </Button>
          )
        }
      >
        {start} Only {who} can open this page or find it in search.
      </Banner>
      {goal !== null && <AccessQuestion {...props} goal={goal} onClose={() => setGoal(null)} />}
    </>
  );
}

/** Below the people. */
export function AccessButtons(props: AccessModeProps) {
  const { access } = props;
  const [goal, setGoal] = useState<AccessGoal | null>(null);
  const goals = useAccessGoals(props);
  return (
    <div className="access-buttons">
      {access.access !== 'restricted' && (
        <Button look="plain" size="small" onClick={() => setGoal(goals.restrict)}>
          <Lock className="icon" />
          Restrict this page…
        </Button>
      )}
      {goals.inherit !== null && (
        <Button look="plain" size="small" onClick={() => setGoal(goals.inherit)}>
          Same access as the page above…
        </Button>
      )}
      {goal !== null && <AccessQuestion {...props} goal={goal} onClose={() => setGoal(null)} />}
    </div>
  );
}

function AccessQuestion({ goal, access, people, sharing, links, onClose }: QuestionProps) {
  return (
    <LayerBoundary onDismiss={onClose}>
      <AccessDialog
        goal={goal}
        current={access}
        people={people}
        sharing={sharing}
        links={links ?? []}
        onClose={onClose}
      />
    </LayerBoundary>
  );
}

type QuestionProps = AccessModeProps & { readonly goal: AccessGoal; readonly onClose: () => void };

function useAccessGoals({ page, title, access, words }: AccessModeProps) {
  const { indexAtom } = useWorkspace();
  const index = useValue(indexAtom);
  const parent = useListedPage(page)?.parentId ?? null;
  const isParentOpen = parent !== null && isOpenToWorkspace(index, parent);
  const above = parent === null ? null : words.titleOf(parent);
  const open: AccessGoal = {
    // Below an open page the access of that page does the same, and follows the page when it is moved.
    access: isParentOpen ? 'inherit' : 'workspace',
    title: `Open “${title}” to everyone?`,
    text: `Everyone in ${words.workspace} can find and edit this page and the pages below it that are not restricted themselves.`,
    button: 'Open to everyone',
    done: `“${title}” is open to everyone in ${words.workspace}`,
  };
  const restrict: AccessGoal = {
    access: 'restricted',
    title: `Restrict “${title}”?`,
    text: `From then on only you, the owners of ${words.workspace} and the people added to this page by name can open this page and the pages inside it.`,
    button: 'Restrict page',
    done: `“${title}” is restricted`,
  };
  // If the page above is open, “Open to everyone…” does the same.
  const mayInherit = access.access !== 'inherit' && parent !== null && above !== null && !isParentOpen;
  const inherit: AccessGoal | null = mayInherit
    ? {
        access: 'inherit',
        title: `Use the access of “${above}”?`,
        text: `Everyone who can open “${above}” can open this page, with the same role. People added to this page keep access.`,
        button: 'Use it',
        done: `“${title}” has the access of “${above}”`,
      }
    : null;
  return { open, restrict, inherit };
}
