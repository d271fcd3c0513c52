// Data on this device of accounts that another one replaced before they signed out. It moves to the account that is signed in
// now: by itself if the email address is the same, else if the person says so.
import { type Atom, atom } from 'jotai/vanilla';
import type { FormerAccounts, Identity } from '../../ports/account.ts';
import type { AtomStore } from '../store.ts';
import { type GonePage, pagesStoredIn } from '../workspace/lost-pages.ts';

export interface Former {
  readonly atom: Atom<readonly Identity[]>;
  /** False: something of it could not be moved, and is still where it was. */
  readonly move: (account: Identity) => Promise<boolean>;
  readonly discard: (account: Identity) => Promise<void>;
}

export function formerAccounts(options: {
  readonly identity: Identity;
  readonly store: AtomStore;
  readonly port: FormerAccounts;
  /** Runs with the pages that the former account could open. */
  readonly onMoved: (pages: readonly GonePage[]) => Promise<void>;
}): Former {
  const { identity, store, port } = options;
  const others = () => port.list().filter(({ id }) => id !== identity.id);
  const formerAtom = atom(others());
  const refresh = () => store.set(formerAtom, others());

  const move = async ({ id }: Identity): Promise<boolean> => {
    const lists = await port.move(id).catch(() => null);
    refresh();
    await options.onMoved((lists ?? []).flatMap(pagesStoredIn));
    return lists !== null;
  };

  const address = addressOf(identity);
  for (const one of others()) if (address !== null && addressOf(one) === address) void move(one);

  return {
    atom: formerAtom,
    move,
    async discard({ id }) {
      await port.discard(id).catch(() => undefined);
      refresh();
    },
  };
}

const addressOf = ({ email }: Identity): string | null => email?.toLowerCase() ?? null;
