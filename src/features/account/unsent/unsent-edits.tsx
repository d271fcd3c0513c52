// Says where this device's unsent edits are after a screen failed, and offers a download of them.
import { useEffect, useState } from 'react';
import { PersonContext, useAppValue, usePerson, useValue } from '../../../state/hooks.ts';
import { CopyDownloaded, DownloadCopyButton } from './download-copy.tsx';

/** Nothing unless someone is signed in, or their sign-in has ended without their signing out. */
export function UnsentEditsNote() {
  const person = useAppValue((app) => app.personAtom);
  return person === null ? null : (
    <PersonContext value={person}>
      <EditsOfPerson />
    </PersonContext>
  );
}

function EditsOfPerson() {
  const person = usePerson();
  const unsent = useValue(person.lostOnSignOutAtom);
  const [isRead, setRead] = useState(false);
  const [savedFile, setSaved] = useState<string | null>(null);
  useEffect(() => {
    // A page whose screen failed would close otherwise, and edits that only this tab has would go with it.
    const leases = person.pages.openValues().map(({ documentId }) => person.pages.acquire(documentId));
    void person.unsent.refresh().then(() => setRead(true));
    return () => leases.forEach(({ release }) => release());
  }, [person]);
  const edits = unsent.reduce((sum, one) => sum + one.edits, 0);
  const views = person.pages.openValues().map((page) => page.getView());
  const inTab = views.reduce((sum, view) => sum + (view.receipt === 'tab' ? view.unsent.edits : 0), 0);
  if (edits === 0) return isRead && <p>All edits made on this device are on the server.</p>;
  return (
    <>
      {inTab > 0 && <p>{countOf(inTab)} only in this tab: download a copy first.</p>}
      {edits > inTab && <p>{countOf(edits - inTab)} safe on this device.</p>}
      <DownloadCopyButton onSaved={setSaved} />
      {savedFile !== null && <CopyDownloaded name={savedFile} />}
    </>
  );
}

const countOf = (edits: number) => (edits === 1 ? 'Your unsent edit is' : `Your ${edits} unsent edits are`);
