// `/welcome`: creates the first workspace, or another one, or joins the workspaces and pages that the person was invited to.
import { useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { EntryLayout } from '../../features/account/sign-in/entry-layout.tsx';
import { SignedInAs } from '../../features/account/signed-in-as.tsx';
import { MyInvitations, useMyInvitations } from '../../features/workspace/my-invitations.tsx';
import { WelcomeForm } from '../../features/workspace/welcome-form.tsx';
import type { CreatedWorkspace } from '../../protocol/answers.ts';
import { newDocumentId, newWorkspaceId } from '../../protocol/new-ids.ts';
import type { AcceptedInvite } from '../../protocol/people-answers.ts';
import { TabTitle } from '../../shell/tab-title.tsx';
import { usePerson } from '../../state/hooks.ts';
import { pagePath, workspacePath } from '../../state/workspace/page-address.ts';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';
import { Toasts } from '../../ui/floating/toast.tsx';

export function WelcomeScreen() {
  const person = usePerson();
  const navigate = useNavigate();
  const [ids] = useState(newIds);
  const { offers, remove } = useMyInvitations();
  const open = async ({ workspace, document }: CreatedWorkspace) => {
    person.addWorkspace(workspace);
    await person.refreshWorkspaces();
    await navigate(pagePath(workspace.slug, { id: document, title: '' }), { replace: true });
  };
  const join = async ({ workspaceSlug, document }: AcceptedInvite) => {
    await person.refreshWorkspaces();
    const path =
      document === null ? workspacePath(workspaceSlug) : pagePath(workspaceSlug, { id: document, title: '' });
    await navigate(path, { replace: true });
  };
  return (
    <EntryLayout foot={<SignedInAs settings={<Link to="/account">Account settings</Link>} />}>
      <TabTitle title="New workspace" />
      <div className="entry-body">
        {offers === null ? (
          <Skeleton label="Looking for invitations" widths={['60%', '100%', '100%']} />
        ) : (
          <>
            {offers.length > 0 && (
              <MyInvitations offers={offers} onDeclined={remove} onJoined={(accepted) => void join(accepted)} />
            )}
            <WelcomeForm ids={ids} onCreated={(created) => void open(created)} />
          </>
        )}
      </div>
      <Toasts />
    </EntryLayout>
  );
}

const newIds = () => ({ workspace: newWorkspaceId(), document: newDocumentId() });
