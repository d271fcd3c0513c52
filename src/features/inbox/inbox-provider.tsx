// Keeps the person's inbox up to date while a workspace is on the screen, and opens its panel through `useInbox`. The panel's
// code loads when it is first opened.
import { type ReactNode, createContext, use, useEffect, useMemo, useState } from 'react';
import { useNavigate } from 'react-router';
import { assert } from '../../lib/assert.ts';
import { usePerson } from '../../state/hooks.ts';
import { type PersonInbox, personInbox } from '../../state/person/inbox.ts';
import { workspacePath } from '../../state/workspace/page-address.ts';
import { latePart } from '../../ui/feedback/late-part.tsx';

const InboxPanel = latePart(async () => (await import('./inbox-panel.tsx')).InboxPanel);

type OpenInbox = { readonly inbox: PersonInbox; readonly isOpen: boolean; readonly toggle: () => void };

const InboxContext = createContext<OpenInbox | null>(null);

export function useInbox(): OpenInbox {
  const value = use(InboxContext);
  assert(value !== null, 'used outside of a workspace');
  return value;
}

export function InboxProvider({ children }: { readonly children: ReactNode }) {
  const person = usePerson();
  const navigate = useNavigate();
  const [isOpen, setOpen] = useState(false);
  const inbox = useMemo(() => personInbox(person), [person]);
  useEffect(() => inbox.follow(), [inbox]);
  const value = useMemo(() => ({ inbox, isOpen, toggle: () => setOpen((before) => !before) }), [inbox, isOpen]);
  const join = async (workspaceSlug: string) => {
    await person.refreshWorkspaces();
    setOpen(false);
    void navigate(workspacePath(workspaceSlug));
  };
  return (
    <InboxContext value={value}>
      {children}
      {isOpen && <InboxPanel inbox={inbox} onClose={() => setOpen(false)} onJoined={(slug) => void join(slug)} />}
    </InboxContext>
  );
}
