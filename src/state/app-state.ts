// State that lives until the tab is closed or reloaded: the signed-in person, their state, the theme, the open share links.
import { type Atom, atom, createStore } from 'jotai/vanilla';
import type { Environment } from 'weft-sync/ports.ts';
import type { DocumentId, LinkSecret } from 'weft-sync/protocol/ids.ts';
import type { LinkWatch } from 'weft-sync/session/session-api.ts';
import { type RefCounted, refCounted } from '../lib/async/ref-counted.ts';
import type { Cancel } from '../lib/cancel.ts';
import type { Account, Identity, ProviderSignIn, SignIn } from '../ports/account.ts';
import type { LinkVisits } from '../ports/changes.ts';
import type { Theme, ThemeChoice } from '../ports/device.ts';
import type { OpenLinkHistory } from '../ports/history.ts';
import type { Membership } from '../ports/workspace.ts';
import type { Finding } from '../texts/project-findings.ts';
import type { LinkCommentsState } from './comments/link-comments.ts';
import type { OpenPageFiles } from './files/page-files.ts';
import type { PersonPorts } from './person/person-ports.ts';
import { type PersonState, personState } from './person/person-state.ts';
import type { AtomStore } from './store.ts';

type AppPorts = {
  readonly account: Account;
  /** Loads with the buttons that need it. Rejects if it can't be loaded. */
  readonly providerSignIn: () => Promise<ProviderSignIn>;
  readonly theme: ThemeChoice;
  /** Checks whether the server is set up as Weft needs it. Never rejects; takes some seconds. */
  readonly inspectProject: () => Promise<readonly Finding[]>;
  /** The workspace or page behind an invitation; with or without an account. */
  readonly readInvite: Membership['inviteInfo'];
  /** Reloads the app with its newest version. */
  readonly reload: () => void;
  readonly openWatch: (secret: LinkSecret) => Promise<LinkWatch>;
  /** Loads with the first link. */
  readonly linkVisits: () => Promise<LinkVisits>;
  readonly openLinkHistory: OpenLinkHistory;
  /** Loads with the first link that shows comments. Close what it resolves to. */
  readonly openLinkComments: (secret: LinkSecret, watch: LinkWatch) => Promise<LinkCommentsState>;
  readonly openLinkFiles: (secret: LinkSecret, watchedDocument: () => Promise<DocumentId | null>) => OpenPageFiles;
  readonly after: (ms: number, run: () => void) => Cancel;
  readonly portsOf: (identity: Identity) => PersonPorts;
  readonly environment: Pick<Environment, 'onChange'>;
};

/** The ports that views call themselves. */
type CalledByScreens = Pick<
  AppPorts,
  | 'account'
  | 'providerSignIn'
  | 'inspectProject'
  | 'readInvite'
  | 'reload'
  | 'linkVisits'
  | 'openLinkHistory'
  | 'openLinkComments'
>;

export interface AppState extends CalledByScreens {
  readonly store: AtomStore;
  readonly signInAtom: Atom<SignIn>;
  /** The state of the person who is signed in, or was until their sign-in expired. */
  readonly personAtom: Atom<PersonState | null>;
  readonly themeAtom: Atom<Theme>;
  /** The share links that are open. */
  readonly linkSessions: RefCounted<LinkSecret, Promise<LinkWatch>>;
  /** The pictures and files of the pages behind those links. */
  readonly linkFiles: RefCounted<LinkSecret, OpenPageFiles>;
  readonly setTheme: (theme: Theme) => void;
  /** Deletes everything of the person from this device, unsent edits included. Ask before calling it. */
  readonly signOut: () => Promise<void>;
}

/** The device may say that it is offline a moment before its network is gone. */
const OFFLINE_AGAIN_MS = 3_000;
const WATCH_LINGERS_MS = 500;
const CLOSE_TIMEOUT_MS = 4_000;

export function appState(ports: AppPorts): AppState {
  const { account, theme } = ports;
  const store = createStore();
  const signInAtom = atom<SignIn>(account.getState());
  const personAtom = atom<PersonState | null>(null);
  const themeAtom = atom<Theme>(theme.get());

  const applySignIn = () => {
    const signIn = account.getState();
    const before = store.get(personAtom);
    const identity = signIn.status === 'signedIn' || signIn.status === 'expired' ? signIn.identity : null;
    if (identity === null && signIn.status !== 'unknown') void closePerson();
    else if (identity !== null && before?.identity.id !== identity.id) {
      void closePerson();
      store.set(personAtom, personState(identity, ports.portsOf(identity)));
    } else if (signIn.status === 'signedIn') {
      // The same person has a new token. Calls that the server refused with the old one can be retried.
      before?.retryAll();
    }
    store.set(signInAtom, signIn);
  };
  const closePerson = () => {
    const before = store.get(personAtom);
    store.set(personAtom, null);
    return before?.close();
  };

  const linkSessions = refCounted({
    open: (secret: LinkSecret) => ports.openWatch(secret),
    close: async (watch) => (await watch).close(),
    lingerMs: WATCH_LINGERS_MS,
    after: ports.after,
  });

  const linkFiles = refCounted({
    open: (secret: LinkSecret) =>
      ports.openLinkFiles(secret, async () => (await linkSessions.peek(secret))?.getView().documentId ?? null),
    close: async (files) => files.close(),
    lingerMs: WATCH_LINGERS_MS,
    after: ports.after,
  });

  account.subscribe(applySignIn);
  theme.onChange(() => store.set(themeAtom, theme.get()));
  const noteOffline = () => store.get(personAtom)?.noteOffline();
  ports.environment.onChange((event) => {
    if (event === 'offline') {
      noteOffline();
      ports.after(OFFLINE_AGAIN_MS, noteOffline);
    } else if (event !== 'hidden') {
      store.get(personAtom)?.retryAll();
      for (const files of linkFiles.openValues()) files.retryLoading();
    }
  });
  applySignIn();

  return {
    ...ports,
    store,
    signInAtom,
    personAtom,
    themeAtom,
    linkSessions,
    linkFiles,
    setTheme(next) {
      theme.set(next);
      store.set(themeAtom, next);
    },
    async signOut() {
      const person = store.get(personAtom);
      // Close the sessions first, so that they send what they can. Limit the wait: a hanging server must not keep the
      // person signed in.
      await Promise.race([closePerson(), new Promise<void>((resolve) => ports.after(CLOSE_TIMEOUT_MS, resolve))]);
      // Start the wipe before anyone learns of the sign-out, so that a sign-in afterwards opens new stores.
      await Promise.all([person?.wipe(), account.signOut()]);
    },
  };
}
