// Sign-in with an account of another service. Loads with its buttons.
import type { AuthError, SupabaseClient } from '@supabase/supabase-js';
import * as v from 'valibot';
import { type Result, err, ok } from '../../lib/result.ts';
import type { ProviderSignIn } from '../../ports/account.ts';
import { type Provider, type ProviderProblem, isProvider, providerProblem } from '../../texts/provider-texts.ts';
import { toSignInError } from './sign-in-error.ts';

const settings = v.object({ external: v.record(v.string(), v.unknown()) });

const ANSWER_WITHIN_MS = 30_000;
const RETURN_KEY = 'weft:return';

export function supabaseProviderSignIn(
  client: SupabaseClient,
  project: { readonly url: string; readonly anonKey: string },
  /** The app's address, such as "https://weft.example". */
  home: string,
): ProviderSignIn {
  /** `via` makes the callback screen name the service if it led back with an error. */
  const options = (provider: Provider) => {
    const back = new URL('/auth/callback', home);
    back.searchParams.set('via', provider);
    return { redirectTo: back.href };
  };
  // The address may have a link's secret in it, so it stays in this tab instead of travelling through other servers.
  const remember = (next: string) => {
    try {
      sessionStorage.setItem(RETURN_KEY, next);
    } catch {
      // Storage is blocked; the sign-in leads to the start screen then.
    }
  };
  const resultOf = (error: AuthError | null): Result<void, ProviderProblem> =>
    error === null ? ok(undefined) : err(providerProblem(error.code) ?? toSignInError(error).problem);

  return {
    async providers() {
      try {
        const response = await fetch(`${project.url}/auth/v1/settings`, {
          headers: { apikey: project.anonKey },
          signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
        });
        const parsed = v.safeParse(settings, response.ok ? await response.json() : null);
        if (!parsed.success) return [];
        const { external } = parsed.output;
        // Auth lists guests, emails and phones there too.
        return Object.keys(external)
          .filter(isProvider)
          .filter((id) => external[id] === true);
      } catch {
        // Without an answer there are no buttons. Email and password say why they fail.
        return [];
      }
    },
    async signIn(provider, next) {
      remember(next);
      const { error } = await client.auth.signInWithOAuth({ provider, options: options(provider) });
      return resultOf(error);
    },
    async link(provider, next) {
      remember(next);
      const { error } = await client.auth.linkIdentity({ provider, options: options(provider) });
      return resultOf(error);
    },
    takeReturn() {
      try {
        const next = sessionStorage.getItem(RETURN_KEY);
        sessionStorage.removeItem(RETURN_KEY);
        return next;
      } catch {
        return null;
      }
    },
  };
}
