// The ports of the views for accounts: signing in, and what people do with their own account.
import type { UserId } from 'weft-sync/protocol/ids.ts';
import type { Cancel } from '../lib/cancel.ts';
import type { Result } from '../lib/result.ts';
import type { Profile } from '../protocol/answers.ts';
import type { SignInError } from '../protocol/errors.ts';
import type { Provider, ProviderProblem } from '../texts/provider-texts.ts';
import type { Answer } from './answer.ts';

export type Identity = { readonly id: UserId; readonly email: string | null; readonly isGuest: boolean };

/**
 * `unknown`: not found out yet. `expired`: the person was signed in and the server no longer accepts it. Edits are
 * still stored on this device. An unreachable server changes nothing: the person stays signed in.
 */
export type SignIn =
  | { readonly status: 'unknown' }
  | { readonly status: 'signedOut' }
  | { readonly status: 'signedIn'; readonly identity: Identity }
  | { readonly status: 'expired'; readonly identity: Identity };

/** Accounts that were signed in on this device before this one and did not sign out: the server no longer accepted them. */
export interface FormerAccounts {
  /** Oldest first. */
  list(): readonly Identity[];
  /**
   * Moves everything that the device holds of such an account to this one, unsent edits included. What the server
   * once had of a page and lacks now is put back. Resolves to the lists of pages that the account had, unparsed.
   */
  move(account: UserId): Promise<readonly unknown[]>;
  /** Deletes everything of such an account from this device. */
  discard(account: UserId): Promise<void>;
}

export interface Account {
  getState(): SignIn;
  subscribe(run: () => void): Cancel;
  /** Whether people can use this project without an account ("Continue as guest"). */
  readonly allowsGuests: boolean;
  /** The address of the page that shows outgoing email if the backend does not send it. Null if it does. */
  readonly inbox: string | null;
  signUp(
    email: string,
    password: string,
    displayName: string,
  ): Promise<Result<{ readonly needsConfirmation: boolean }, SignInError>>;
  signIn(email: string, password: string): Promise<Result<void, SignInError>>;
  continueAsGuest(displayName: string): Promise<Result<void, SignInError>>;
  /** Emails a sign-in link to someone who has an account. It leads to `next`, an address of this app. */
  sendLink(email: string, next: string | null): Promise<Result<void, SignInError>>;
  /**
   * Emails someone who was invited, and may have no account, a code to sign in with. The invitations to their address are
   * waiting then. Refused by servers that send no email: their invitations have links only.
   */
  sendInvite(email: string): Promise<Result<void, SignInError>>;
  /** Emails a link to choose a new password. */
  sendReset(email: string): Promise<Result<void, SignInError>>;
  /** Signs in with the code from such an email. */
  enterCode(email: string, code: string, purpose: 'sign-in' | 'reset'): Promise<Result<void, SignInError>>;
  /**
   * Resolves when the link that led to this page has signed someone in, or with the reason why it did not. Can be
   * called any number of times.
   */
  finishLink(): Promise<Result<void, SignInError>>;
  changePassword(password: string): Promise<Result<void, SignInError>>;
  /**
   * Gives a guest an email address and a password. They stay the same person, with everything they wrote. If the server
   * confirms addresses by email, they are a guest until they open its link.
   */
  becomeAccount(email: string, password: string): Promise<Result<{ readonly needsConfirmation: boolean }, SignInError>>;
  /** Ends the person's sessions in all other browsers. */
  signOutElsewhere(): Promise<Result<void, SignInError>>;
  /** Works offline too: this device forgets the person at once. */
  signOut(): Promise<void>;
}

/** Sign-in with an account of another service (OAuth), where the project has it. */
export interface ProviderSignIn {
  /** The services that are on; empty if the server does not answer. */
  providers(): Promise<readonly Provider[]>;
  /**
   * Leaves the app for the service, which leads back to `/auth/callback`, and that to `next`, an address of this app.
   * Resolves before the page is left, or with the reason why it stays.
   */
  signIn(provider: Provider, next: string): Promise<Result<void, ProviderProblem>>;
  /** The same for a guest, who stays the same person, with everything they wrote. */
  link(provider: Provider, next: string): Promise<Result<void, ProviderProblem>>;
  /** The `next` of the call that left this tab's page; each is given once. */
  takeReturn(): string | null;
}

/** Pictures of people, and the deletion of the signed-in person's account. */
export interface OwnAccount {
  /** At most 1 MiB: png, jpeg or webp. Null removes the picture. The server stores name and color along with it. */
  setPicture(profile: Pick<Profile, 'displayName' | 'color'>, picture: Blob | null): Answer<Profile>;
  /** The picture of anyone whose profile this person may see. WF001: it is gone, or they may not. */
  picture(path: string): Answer<Blob>;
  /**
   * WF014 while others would be left without an owner. The person's words stay without a name. `profile` is for removing the
   * picture first.
   */
  deleteAccount(profile: Pick<Profile, 'displayName' | 'color'>): Answer<void>;
}
