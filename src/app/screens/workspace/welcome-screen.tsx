// `/welcome`: creates the first workspace, or another one.
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { EntryLayout } from '../../../features/account/sign-in/entry-layout.tsx';
import { WelcomeForm } from '../../../features/workspace/welcome-form.tsx';
import { assert } from '../../../lib/assert.ts';
import { randomUuid } from '../../../lib/random-uuid.ts';
import type { CreatedWorkspace } from '../../../protocol/answers.ts';
import { parseDocumentId, parseWorkspaceId } from '../../../protocol/ids.ts';
import { usePerson } from '../../../state/hooks.ts';
import { pagePath } from '../../../state/workspace/page-address.ts';
import { TabTitle } from '../../shell/tab-title.tsx';

export function WelcomeScreen() {
  const person = usePerson();
  const navigate = useNavigate();
  const [ids] = useState(newIds);
  const open = async ({ workspace, document }: CreatedWorkspace) => {
    person.addWorkspace(workspace);
    await person.refreshWorkspaces();
    await navigate(pagePath(workspace.slug, { id: document, title: '' }), { replace: true });
  };
  return (
    <EntryLayout foot={<span />}>
      <TabTitle title="New workspace" />
      <WelcomeForm ids={ids} onCreated={(created) => void open(created)} />
    </EntryLayout>
  );
}

function newIds() {
  const workspace = parseWorkspaceId(randomUuid());
  const document = parseDocumentId(randomUuid());
  assert(workspace !== null && document !== null, 'random uuids are uuids');
  return { workspace, document };
}
