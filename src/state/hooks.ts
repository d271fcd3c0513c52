// The hooks through which components read atoms: no other file connects jotai with React. Shared values (documents,
// lists, presence, sign-in) use `useAtomValueRawSync`, because `useAtomValue` tears when they change under a transition.
// Values local to a screen stay in React's own state.
import { useAtomValueRawSync } from 'jotai/react';
import { type Atom, type Getter, atom } from 'jotai/vanilla';
import { createContext, use, useCallback, useContext, useMemo, useSyncExternalStore } from 'react';
import type { DocumentId, UserId, LinkSecret } from 'weft-sync/protocol/ids.ts';
import type { LinkWatch } from 'weft-sync/session/session-api.ts';
import { assert } from '../lib/assert.ts';
import type { RefCounted } from '../lib/async/ref-counted.ts';
import type { Identity } from '../ports/account.ts';
import type { PageFiles } from '../ports/files.ts';
import type { DocumentSummary, Profile, Workspace } from '../protocol/answers.ts';
import { type WorkspaceRole, mayCreatePages } from '../protocol/roles.ts';
import type { AppState } from './app-state.ts';
import type { ListState } from './offline/cached-list.ts';
import type { OpenPage } from './page/open-page.ts';
import { assignColors } from './people/assign-colors.ts';
import { authorName } from './people/author-name.ts';
import type { PeopleById } from './people/people.ts';
import type { PersonState } from './person/person-state.ts';
import type { OpenWorkspace } from './workspace/open-workspace.ts';
import { isOpenToWorkspace } from './workspace/tree/page-index.ts';

export const AppContext = createContext<AppState | null>(null);
export const PersonContext = createContext<PersonState | null>(null);
export const WorkspaceContext = createContext<OpenWorkspace | null>(null);
export const PageContext = createContext<OpenPage | null>(null);
/** The profiles of the people whom a screen shows together, in different colors as long as there are enough. */
export const ProfilesContext = createContext<PeopleById | null>(null);

const required = <T>(value: T | null, what: string): T => {
  assert(value !== null, `used outside of ${what}`);
  return value;
};

export const useApp = (): AppState => required(useContext(AppContext), 'the app');
/** Only for routes that require a signed-in person. */
export const usePerson = (): PersonState => required(useContext(PersonContext), 'a signed-in route');
export const useWorkspace = (): OpenWorkspace => required(useContext(WorkspaceContext), 'a workspace');
export const usePage = (): OpenPage => required(useContext(PageContext), 'a page');

/** A value of the app: who is signed in, the theme. */
export function useAppValue<T>(pick: (app: AppState) => Atom<T>): T {
  const app = useApp();
  return useAtomValueRawSync(pick(app), { store: app.store });
}

/** The identity that is signed in now: a guest who became an account is the same person with an address. */
export function useIdentity(): Identity {
  const person = usePerson();
  const signIn = useAppValue((app) => app.signInAtom);
  const isKnown = signIn.status === 'signedIn' || signIn.status === 'expired';
  return isKnown && signIn.identity.id === person.identity.id ? signIn.identity : person.identity;
}

/** A value from the signed-in person's store: lists, people, open pages. Pass the same atom on each render. */
export function useValue<T>(atom: Atom<T>): T {
  return useAtomValueRawSync(atom, { store: usePerson().store });
}

/** This person's role in the workspace now. `OpenWorkspace.workspace` has the role as of its opening. */
export function useWorkspaceRole(): WorkspaceRole | null {
  const { workspace, listAtom } = useWorkspace();
  return (useValue(listAtom).value?.workspace ?? workspace).role;
}

/** Whether this person may create pages at the top of the workspace: visitors by a link see single pages. */
export const useMayCreatePages = (): boolean => mayCreatePages(useWorkspaceRole());

/** The names of authors, for lines that name them; null until they are loaded. */
export function useAuthorNames(): (author: UserId) => string | null {
  const { identity, people: state } = usePerson();
  const [people, gone] = [useValue(state.atom), useValue(state.goneAtom)];
  return (author) => authorName(author, { me: identity.id, people, gone });
}

const NO_PEOPLE = atom<PeopleById>(new Map());

/**
 * The people of `company`, in the colors in which they are shown together. A person who is present in the workspace keeps the
 * color that the page tree and the home show. `unlisted`: profiles from elsewhere, of people whom this person may not look up.
 */
export function useCompany(company: readonly UserId[], unlisted: readonly Profile[] = []): PeopleById {
  const known = useValue(usePerson().people.atom);
  const present = useValue(useContext(WorkspaceContext)?.presentAtom ?? NO_PEOPLE);
  const people = new Map([...unlisted.map((person) => [person.id, person] as const), ...known, ...present]);
  return assignColors(company, people, present);
}

/** The known profiles; in a list of people, or in a workspace, in the colors in which they are shown there. */
export function useProfiles(): PeopleById {
  const known = useValue(usePerson().people.atom);
  const present = useValue(useContext(WorkspaceContext)?.presentAtom ?? NO_PEOPLE);
  const company = useContext(ProfilesContext) ?? present;
  return useMemo(() => new Map([...known, ...present, ...company]), [known, present, company]);
}

const NOTHING = atom(null);

/** Whether the workspace's server does not answer. Screens without a workspace do not ask. */
export function useIsOffline(): boolean {
  const list = useValue<ListState<unknown> | null>(useContext(WorkspaceContext)?.listAtom ?? NOTHING);
  return list?.error?.code === 'WF011';
}

/** A page's entry in the workspace's list. Null while the list has not loaded, or does not contain the page. */
export const useListedPage = (id: DocumentId): DocumentSummary | null => useValue(useWorkspace().pageAtom(id));

/** Whether only some of the workspace can open a listed page. */
export function useIsRestricted(id: DocumentId): boolean {
  const { indexAtom } = useWorkspace();
  const restrictedAtom = useMemo(
    () =>
      atom((get) => {
        const index = get(indexAtom);
        return index.pages.has(id) && !isOpenToWorkspace(index, id);
      }),
    [indexAtom, id],
  );
  return useValue(restrictedAtom);
}

/** The ancestors of a page, topmost first. */
export const usePath = (id: DocumentId): readonly DocumentSummary[] => useValue(useWorkspace().pathAtom(id));

/** Keeps a page open while the component is mounted. Null on the very first render. */
export const useOpenPage = (documentId: DocumentId): OpenPage | null => useLease(usePerson().pages, documentId);

/** Keeps a workspace open while the component is mounted. Null on the very first render. */
export const useOpenWorkspace = (id: Workspace['id']): OpenWorkspace | null => useLease(usePerson().workspaces, id);

/**
 * Keeps a value open while the component is mounted. Subscribing opens it; React subscribes after the first render, and then
 * reads again at once.
 */
export function useLease<Key, T>(open: RefCounted<Key, T>, key: Key): T | null {
  const subscribe = useCallback(() => open.acquire(key).release, [open, key]);
  return useSyncExternalStore(subscribe, () => open.peek(key));
}

/** Titles of the pages that are open here. They are ahead of every list: a title shows while it is being typed. */
export function useLiveTitles(): ReadonlyMap<DocumentId, string> {
  const { openPagesAtom } = usePerson();
  const titlesAtom = useMemo(
    () =>
      atom((get) => {
        const titles = new Map<DocumentId, string>();
        for (const page of get(openPagesAtom)) {
          const title = get(page.titleAtom);
          if (title !== null) titles.set(page.documentId, title);
        }
        return titles;
      }),
    [openPagesAtom],
  );
  return useValue(titlesAtom);
}

/**
 * Reads the title of a page at the moment of the call, for actions by a key or a click: a component that uses it
 * does not render when a title changes.
 */
export function useTitleReader(): (id: DocumentId) => string {
  const { store, openPagesAtom } = usePerson();
  const { indexAtom } = useWorkspace();
  return (id) => liveTitle(store.get, openPagesAtom, id) ?? store.get(indexAtom).pages.get(id)?.title ?? '';
}

/** The title of one page as `useLiveTitles` has it; null while it is not open here. */
export function useLiveTitle(id: DocumentId): string | null {
  const { openPagesAtom } = usePerson();
  const titleAtom = useMemo(() => atom((get) => liveTitle(get, openPagesAtom, id)), [openPagesAtom, id]);
  return useValue(titleAtom);
}

function liveTitle(get: Getter, openPagesAtom: PersonState['openPagesAtom'], id: DocumentId): string | null {
  const open = get(openPagesAtom).find(({ documentId }) => documentId === id);
  return open === undefined ? null : get(open.titleAtom);
}

export type PageLocation = { readonly slug: string; readonly page: DocumentSummary };

/**
 * The location of every page in the person's workspaces. Keeps those workspaces open while the component is mounted.
 */
export function usePageLocations(): ReadonlyMap<DocumentId, PageLocation> {
  const { workspaces, workspacesAtom } = usePerson();
  const list = useValue(workspacesAtom).value;
  const all = useMemo(() => everyWorkspace(workspaces, list ?? []), [workspaces, list]);
  const open = useSyncExternalStore(all.subscribe, all.get);
  const locations = useMemo(() => locationsAtom(open), [open]);
  return useValue(locations);
}

function everyWorkspace(open: RefCounted<Workspace['id'], OpenWorkspace>, list: readonly Workspace[]) {
  let before: readonly OpenWorkspace[] = [];
  return {
    subscribe: () => {
      const leases = list.map(({ id }) => open.acquire(id));
      return () => {
        for (const { release } of leases) release();
      };
    },
    get: () => {
      const now = list.flatMap(({ id }) => open.peek(id) ?? []);
      if (now.length !== before.length || now.some((one, at) => one !== before[at])) before = now;
      return before;
    },
  };
}

const locationsAtom = (open: readonly OpenWorkspace[]): Atom<ReadonlyMap<DocumentId, PageLocation>> =>
  atom((get) => {
    const pages = open.flatMap(({ workspace: { slug }, listAtom }) =>
      (get(listAtom).value?.documents ?? []).map((page) => [page.id, { slug, page }] as const),
    );
    return new Map(pages);
  });

/** Follows a share link while the component is mounted: null at the first render, then suspends until the code is loaded. */
export function useWatch(secret: LinkSecret): LinkWatch | null {
  const opening = useLease(useApp().linkSessions, secret);
  return opening === null ? null : use(opening);
}

/** The pictures and files of the page behind a link, while the component is mounted. Null on the very first render. */
export const useLinkFiles = (secret: LinkSecret): PageFiles | null => useLease(useApp().linkFiles, secret);
