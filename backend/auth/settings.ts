// The settings of Auth. By default, lifetimes and most rates are those of a hosted project, and guests may sign in. No
// one who creates an account has to confirm the email address.
import type { Rate } from '../gateway/token-buckets.ts';

export type AuthSettings = {
  /** Whether people may sign in as guests. */
  readonly allowsGuests: boolean;
  /** Whether people may create accounts. */
  readonly allowsSignUps: boolean;
  readonly minPasswordLength: number;
  /** bcrypt's cost, as a power of two. 10, as on the hosted service, takes 60 to 100 ms; tests use less. */
  readonly passwordCost: number;
  /** Lifetime of the codes and links in mails. */
  readonly otpSeconds: number;
  /** Lifetime of an access token. */
  readonly tokenSeconds: number;
  /** How long a replaced refresh token is accepted again: its answer was lost, or two tabs used it at the same time. */
  readonly refreshReuseSeconds: number;
  /** Between two mails to one address. */
  readonly mailIntervalSeconds: number;
  /** Host names to which links in mails may lead, besides this backend's own and this machine. */
  readonly redirectHosts: readonly string[];
  /** Limits for each network address, except this machine's own: behind a proxy on it, everyone has that one. */
  readonly rates: {
    /** Requests to /token: passwords, refresh tokens and codes of links. */
    readonly tokens: Rate;
    /** Requests to /verify: codes and links of mails. */
    readonly verifications: Rate;
    readonly guests: Rate;
    readonly signUps: Rate;
    readonly mails: Rate;
  };
  /**
   * Wrong passwords of one account within five minutes, from one network address or from one device on which it was signed in
   * before.
   */
  readonly wrongPasswords: number;
  /** The same from all addresses together. Those from such devices do not count. */
  readonly wrongPasswordsTogether: number;
  /**
   * Wrong codes of one mail, from any address; after that only its link works. A new mail, at most one a minute, has a new code.
   */
  readonly wrongCodes: number;
  /** Unix time in milliseconds. */
  readonly now: () => number;
};

const perHour = (count: number): number => count / 3600;

export const DEFAULT_AUTH_SETTINGS: AuthSettings = {
  allowsGuests: true,
  allowsSignUps: true,
  minPasswordLength: 8,
  passwordCost: 10,
  otpSeconds: 3600,
  tokenSeconds: 3600,
  refreshReuseSeconds: 10,
  mailIntervalSeconds: 60,
  redirectHosts: [],
  rates: {
    tokens: { burst: 30, perSecond: perHour(1800) },
    verifications: { burst: 30, perSecond: perHour(360) },
    // As in supabase/config.toml: all of a class open the same link from one address.
    guests: { burst: 100, perSecond: perHour(100) },
    signUps: { burst: 30, perSecond: perHour(360) },
    mails: { burst: 30, perSecond: perHour(30) },
  },
  wrongPasswords: 30,
  wrongPasswordsTogether: 100,
  wrongCodes: 5,
  now: () => Date.now(),
};
