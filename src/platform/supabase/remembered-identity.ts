// Remembers who signed in last on this device. It outlives the token: unsent edits stay the person's own even without
// network or with a refused token. Only a sign-out forgets it. Someone who is replaced by another account without that is a
// former account: what the device holds of it waits.
import * as v from 'valibot';
import { type UserId, parseUserId } from 'weft-sync/protocol/ids.ts';
import { parseJsonOrNull } from '../../lib/parse-or-null.ts';
import type { Identity } from '../../ports/account.ts';

const stored = v.object({ id: v.string(), email: v.nullable(v.string()), isGuest: v.boolean() });

/** The key under which auth-js stores a project's tokens. */
export const tokenKey = (project: string): string => `weft:auth:${project}`;

export type RememberedIdentity = {
  read(): Identity | null;
  write(identity: Identity): void;
  /** At the project's other addresses too. */
  forget(): void;
  /** Accounts that were replaced by another one and did not sign out, oldest first. */
  former(): readonly Identity[];
  /** Nothing of a former account is here any more. */
  forgetFormer(id: UserId): void;
  /** Whether this device has a token, valid or expired. */
  hasToken(): boolean;
  /**
   * Deletes everything auth-js stores about the person, tokens and email included, in case auth-js never gets to it.
   */
  forgetTokens(): void;
  /** Runs when another tab forgets the identity, because the person signed out there. */
  onForgotten(run: () => void): void;
};

const KEY = 'weft:identity:';

/** Uses localStorage, so that all tabs agree. If storage is blocked, it only works in this tab. */
export function rememberedIdentity(project: string): RememberedIdentity {
  const key = KEY + project;
  /** The project's addresses under which the person was remembered, as of `forget`: `forgetTokens` comes after it. */
  let addresses: readonly string[] = [project];
  const formerKey = `weft:former:${project}`;
  let inMemory: string | null = null;
  const tryStorage = <T>(run: () => T, otherwise: T): T => {
    try {
      return run();
    } catch {
      return otherwise;
    }
  };
  const read = () => parseIdentity(tryStorage(() => localStorage.getItem(key), null) ?? inMemory);
  const remembering = (id: UserId) =>
    Object.keys(localStorage)
      .filter((name) => name.startsWith(KEY) && parseIdentity(localStorage.getItem(name))?.id === id)
      .map((name) => name.slice(KEY.length));
  const former = () => parseFormer(tryStorage(() => localStorage.getItem(formerKey), null));
  const storeFormer = (accounts: readonly Identity[]) =>
    tryStorage(
      () =>
        accounts.length === 0
          ? localStorage.removeItem(formerKey)
          : localStorage.setItem(formerKey, JSON.stringify(accounts)),
      undefined,
    );
  const replace = (before: Identity | null, identity: Identity) => {
    const others = former().filter(({ id }) => id !== identity.id && id !== before?.id);
    if (before !== null && before.id !== identity.id) storeFormer([...others, before]);
    else if (others.length < former().length) storeFormer(others);
  };
  return {
    read,
    former,
    forgetFormer: (id) => storeFormer(former().filter((one) => one.id !== id)),
    write(identity) {
      replace(read(), identity);
      const text = JSON.stringify(identity);
      const isStored = tryStorage(() => (localStorage.setItem(key, text), true), false);
      inMemory = isStored ? null : text;
    },
    forget() {
      const identity = read();
      inMemory = null;
      tryStorage(() => {
        if (identity !== null) addresses = [...new Set([project, ...remembering(identity.id)])];
        for (const address of addresses) localStorage.removeItem(KEY + address);
      }, undefined);
    },
    hasToken: () => tryStorage(() => localStorage.getItem(tokenKey(project)), null) !== null,
    forgetTokens() {
      const keys = addresses.map(tokenKey);
      // Besides the tokens, auth-js stores the user and a secret for each started sign-in.
      tryStorage(() => {
        const names = Object.keys(localStorage);
        for (const name of names) {
          if (keys.some((tokens) => name === tokens || name.startsWith(`${tokens}-`))) localStorage.removeItem(name);
        }
      }, undefined);
    },
    onForgotten(run) {
      // Storage events only come from other tabs. The listener stays for the life of the page.
      addEventListener('storage', (event) => {
        if (event.key !== key || event.newValue !== null) return;
        inMemory = null;
        run();
      });
    },
  };
}

function parseFormer(text: string | null): readonly Identity[] {
  return (parseJsonOrNull(v.array(stored), text) ?? []).flatMap(({ id, ...rest }) => {
    const user = parseUserId(id);
    return user === null ? [] : { ...rest, id: user };
  });
}

function parseIdentity(text: string | null): Identity | null {
  const identity = parseJsonOrNull(stored, text);
  const id = identity === null ? null : parseUserId(identity.id);
  return identity !== null && id !== null ? { ...identity, id } : null;
}
