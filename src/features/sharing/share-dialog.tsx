// The dialog for sharing a page: add people, answer requests, see who can open it and why, restrict it, manage links.
import Link2 from 'lucide-react/icons/link-2';
import { type RefObject, useEffect, useMemo, useRef } from 'react';
import type { DocumentId } from 'weft-sync/protocol/ids.ts';
import { mayManage } from 'weft-sync/protocol/roles.ts';
import { ProfilesContext, useCompany, usePerson, useValue, useWorkspace } from '../../state/hooks.ts';
import { type PagePeopleState, pagePeopleOf } from '../../state/workspace/access/page-people.ts';
import { type Sharing, sharingOf } from '../../state/workspace/access/sharing.ts';
import { textOf } from '../../texts/error-texts.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';
import { Dialog } from '../../ui/floating/dialog.tsx';
import { AccessButtons, RestrictedBanner } from './access-mode.tsx';
import { AddPeople } from './add-people.tsx';
import { CommentReadersRow } from './comment-readers.tsx';
import { Links } from './links.tsx';
import { OpenInvites } from './open-invites.tsx';
import { PeopleList } from './people-list.tsx';
import { Requests } from './requests.tsx';
import { useAccessWords } from './use-access-words.ts';
import './sharing.css';

type ShareDialogProps = {
  readonly page: DocumentId;
  readonly title: string;
  /** As known before the dialog has loaded, so that the parts for managers don't jump in. */
  readonly mayManage: boolean;
  readonly origin: string;
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  readonly onCopyLink: () => void;
};

export function ShareDialog({ open, onOpenChange, onCopyLink, ...props }: ShareDialogProps) {
  const field = useRef<HTMLInputElement>(null);
  return (
    <Dialog
      title={`Share “${props.title}”`}
      open={open}
      onOpenChange={onOpenChange}
      focus={field}
      aside={
        <Button size="small" className="hide-on-phones" onClick={onCopyLink}>
          <Link2 className="icon" />
          Copy page link
        </Button>
      }
    >
      <OpenShareDialog {...props} field={field} />
    </Dialog>
  );
}

type OpenProps = Pick<ShareDialogProps, 'page' | 'title' | 'mayManage' | 'origin'> & {
  readonly field: RefObject<HTMLInputElement | null>;
};

/** A component of its own, so that it loads each time the dialog opens, and closing it forgets a new link's address. */
function OpenShareDialog({ page, title, origin, field, ...known }: OpenProps) {
  const { people, sharing } = useSharing(page);
  const { identity } = usePerson();
  const { access, requests, invites, members, error } = useValue(people.atom);
  const list = useValue(sharing.atom);
  const words = useAccessWords(list.links);
  const mine = access?.people.find(({ user }) => user === identity.id)?.role ?? null;
  const isManager = access === null ? known.mayManage : mayManage(mine);
  const mode = access && { page, title, access, words, people, sharing, links: list.links, mayManage: isManager };
  // A stranger who asks for access has no profile that this person may read, and no picture yet.
  const strangers = requests.map(({ user, displayName, color }) => ({ id: user, displayName, color }));
  const company = [...(access?.people ?? []), ...members, ...requests].map(({ user }) => user);
  const profiles = useCompany(company, strangers);
  return (
    <ProfilesContext value={profiles}>
      <section aria-label="People">
        {isManager && <AddPeople people={people} words={words} origin={origin} field={field} />}
        {requests.length > 0 && <Requests requests={requests} people={people} />}
        {error !== null && (
          <p role="alert">
            {textOf(error)}{' '}
            {access === null && (
              <Button size="small" onClick={() => void people.load()}>
                Try now
              </Button>
            )}
          </p>
        )}
        {mode === null && error === null && <Skeleton label="Loading access" widths={['60%', '48%', '54%']} />}
        {mode !== null && (
          <>
            <RestrictedBanner {...mode} />
            <PeopleList page={page} access={mode.access} words={words} people={people} mayManage={isManager} />
            {isManager && invites.length > 0 && <OpenInvites invites={invites} people={people} />}
            {mode.access.commentReaders !== null && (
              <CommentReadersRow readers={mode.access.commentReaders} people={people} mayManage={isManager} />
            )}
            {isManager ? <AccessButtons {...mode} /> : <p className="secondary">Only managers can change this.</p>}
          </>
        )}
      </section>
      {/* Not before the people above are there: they would push its button away from a pointer. */}
      {(mode !== null || error !== null) && (isManager || (list.links?.length ?? 0) > 0) && (
        <Links sharing={sharing} list={list} mayManage={isManager} origin={origin} />
      )}
    </ProfilesContext>
  );
}

/** The state of the dialog while it is open. It follows what others change. */
function useSharing(document: DocumentId): { readonly people: PagePeopleState; readonly sharing: Sharing } {
  const { store, directory, access, membership, people, identity } = usePerson();
  const { workspace, onChange } = useWorkspace();
  const state = useMemo(
    () => ({
      people: pagePeopleOf({
        document,
        workspace: workspace.id,
        me: identity.id,
        store,
        access,
        membership,
        people,
        onChange,
      }),
      sharing: sharingOf({ documentId: document, store, directory, people, onChange }),
    }),
    [document, workspace, identity, store, directory, access, membership, people, onChange],
  );
  useEffect(() => {
    void state.people.load();
    void state.sharing.load();
    const stops = [state.people.follow(), state.sharing.follow()];
    return () => {
      for (const stop of stops) stop();
    };
  }, [state]);
  return state;
}
