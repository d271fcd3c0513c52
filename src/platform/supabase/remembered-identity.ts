// Who was signed in on this device last. Outlives the token: without network, or with a token the server refuses,
// the person's own unsent edits must stay theirs. Only signing out forgets it.
import * as v from 'valibot';
import { type UserId, parseUserId } from '../../protocol/ids.ts';

const stored = v.object({ id: v.string(), email: v.nullable(v.string()), isGuest: v.boolean() });

export type Identity = { readonly id: UserId; readonly email: string | null; readonly isGuest: boolean };

/** Where auth-js keeps a project's tokens. */
export const tokenKey = (project: string): string => `weft:auth:${project}`;

export type RememberedIdentity = {
  read(): Identity | null;
  write(identity: Identity): void;
  forget(): void;
  /** Whether this device has a token, good or over. */
  hasToken(): boolean;
  /** What auth-js keeps of the person, tokens and e-mail: it may not come to deleting it itself. */
  forgetTokens(): void;
  /** Told when another tab forgot: the person signed out there. */
  onForgotten(run: () => void): void;
};

/** In localStorage, so that all tabs agree; where storage is blocked, in this tab only. */
export function rememberedIdentity(project: string): RememberedIdentity {
  const key = `weft:identity:${project}`;
  let inMemory: string | null = null;
  const attempt = <T>(run: () => T, otherwise: T): T => {
    try {
      return run();
    } catch {
      return otherwise;
    }
  };
  return {
    read: () => parseIdentity(attempt(() => localStorage.getItem(key), null) ?? inMemory),
    write(identity) {
      const text = JSON.stringify(identity);
      const isKept = attempt(() => (localStorage.setItem(key, text), true), false);
      inMemory = isKept ? null : text;
    },
    forget() {
      inMemory = null;
      attempt(() => localStorage.removeItem(key), undefined);
    },
    hasToken: () => attempt(() => localStorage.getItem(tokenKey(project)), null) !== null,
    forgetTokens() {
      const tokens = tokenKey(project);
      // Beside the tokens auth-js keeps the person, and a secret for each sign-in that was begun.
      attempt(() => {
        const names = Object.keys(localStorage).filter((name) => name === tokens || name.startsWith(`${tokens}-`));
        for (const name of names) localStorage.removeItem(name);
      }, undefined);
    },
    onForgotten(run) {
      // Storage events come from other tabs only; listens for as long as the page lives.
      addEventListener('storage', (event) => {
        if (event.key !== key || event.newValue !== null) return;
        inMemory = null;
        run();
      });
    },
  };
}

function parseIdentity(text: string | null): Identity | null {
  if (text === null) return null;
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return null;
  }
  const parsed = v.safeParse(stored, json);
  const id = parsed.success ? parseUserId(parsed.output.id) : null;
  return parsed.success && id !== null ? { ...parsed.output, id } : null;
}
