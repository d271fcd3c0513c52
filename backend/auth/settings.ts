// What can be chosen about accounts, with what a hosted project has where Weft needs nothing else.

import type { Rate } from '../gateway/token-buckets.ts';

export type AuthSettings = {
  readonly minPasswordLength: number;
  /** Of bcrypt, as a power of two: 10, what the hosted service takes, is 60 to 100 ms. Less is for tests. */
  readonly passwordCost: number;
  /** False: an account is usable at once, and a guest's new address counts as proved. */
  readonly confirmEmails: boolean;
  /** A new address counts when the mails to the old and to the new one were both answered. */
  readonly secureEmailChange: boolean;
  /** How long codes and links from mails live. */
  readonly otpSeconds: number;
  /** How long an access token lives. */
  readonly tokenSeconds: number;
  /** How long a refresh token that was used may come again: an answer that got lost, two tabs at once. */
  readonly refreshReuseSeconds: number;
  /** Between two mails of a kind to one address. */
  readonly mailIntervalSeconds: number;
  /** Names of hosts that links in mails may lead to, besides this backend's own and this machine. */
  readonly redirectHosts: readonly string[];
  /** Of one network address, never of this machine's own: behind a proxy on it everybody has that one. */
  readonly rates: {
    /** Passwords, refresh tokens and codes of links (`/token`). */
    readonly tokens: Rate;
    /** Codes and links from mails (`/verify`). */
    readonly verifications: Rate;
    readonly guests: Rate;
    readonly signUps: Rate;
    readonly mails: Rate;
  };
  /** Wrong passwords, and apart from them wrong codes, of one account within five minutes, whoever tries. */
  readonly attempts: number;
  /** Unix time in milliseconds. */
  readonly now: () => number;
};

const perHour = (count: number): number => count / 3600;

export const DEFAULT_AUTH_SETTINGS: AuthSettings = {
  minPasswordLength: 8,
  passwordCost: 10,
  confirmEmails: false,
  secureEmailChange: true,
  otpSeconds: 3600,
  tokenSeconds: 3600,
  refreshReuseSeconds: 10,
  mailIntervalSeconds: 60,
  redirectHosts: [],
  rates: {
    tokens: { burst: 30, perSecond: perHour(1800) },
    verifications: { burst: 30, perSecond: perHour(360) },
    guests: { burst: 30, perSecond: perHour(30) },
    signUps: { burst: 30, perSecond: perHour(360) },
    mails: { burst: 30, perSecond: perHour(30) },
  },
  attempts: 30,
  now: () => Date.now(),
};
