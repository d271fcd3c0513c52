// The findings of a check of a Supabase project, in the words that its owner reads on `/status` and in `npm run doctor`.
// src/platform/supabase/inspection/inspect-project.ts runs the check.

/** `advice`: it works, but better otherwise. `unknown`: no one can tell from here. */
export type FindingStatus = 'fit' | 'unfit' | 'advice' | 'unknown';

export type Finding = {
  readonly title: string;
  readonly status: FindingStatus;
  readonly text: string;
  /** The step to take; null if there is none. */
  readonly todo: string | null;
};

const fit = (title: string, text: string): Finding => ({ title, status: 'fit', text, todo: null });
const unfit = (title: string, text: string, todo: string): Finding => ({ title, status: 'unfit', text, todo });
const advice = (title: string, text: string, todo: string): Finding => ({ title, status: 'advice', text, todo });
const unknown = (title: string, text: string, todo: string | null = null): Finding => ({
  title,
  status: 'unknown',
  text,
  todo,
});

/** A check that got no answer, or one that it does not understand. */
export const noAnswer = (title: string, why: string): Finding =>
  unknown(title, `No usable answer: ${why}.`, 'Try again in a minute.');

export const TITLES = {
  address: 'Address and key',
  clock: 'Clock',
  migrations: 'Database',
  schemas: 'Exposed schemas',
  guests: 'Guests',
  accounts: 'Accounts',
  links: 'Links in emails',
  privateChannels: 'Private channels',
  realtime: 'Realtime',
  limits: 'Realtime limits',
  files: 'Files',
} as const;

export const ADDRESS = {
  right: (url: string) => fit(TITLES.address, `${url} answers and accepts the key.`),
  silent: (url: string, why: string) =>
    unfit(
      TITLES.address,
      `${url} doesn’t answer (${why}).`,
      'Check the address. A paused project is resumed on its page in the dashboard.',
    ),
  wrongKey: unfit(
    TITLES.address,
    'The project refuses the public key.',
    'Dashboard → Project Settings → API Keys: copy the publishable key, and put it into config.json as “anonKey”.',
  ),
};

export const CLOCK = {
  right: (seconds: number) => fit(TITLES.clock, `This device and the server differ by ${seconds} s.`),
  wrong: (seconds: number) =>
    unfit(
      TITLES.clock,
      `This device and the server differ by ${seconds} s. Sign-ins seem expired, or last too long.`,
      'Let this device set its clock from the network. A server of your own needs a time service too.',
    ),
};

export const MIGRATIONS = {
  applied: (count: number) => fit(TITLES.migrations, `All ${count} functions that this version calls are there.`),
  missing: (names: readonly string[]) =>
    unfit(
      TITLES.migrations,
      `${names.length === 1 ? 'A function is' : `${names.length} functions are`} missing or older than this version: ${names.join(', ')}.`,
      'Apply the migrations: supabase db push --remote. If it names some that it does not find: docs/supabase.md, “A project from before the first release”.',
    ),
};

export const SCHEMAS = {
  right: fit(TITLES.schemas, 'Weft’s internal schema is not part of the API.'),
  open: unfit(
    TITLES.schemas,
    'The API exposes the schema “weft”, whose functions trust their callers.',
    'Dashboard → Project Settings → Data API → Exposed schemas: remove “weft”.',
  ),
};

const ALLOW_GUESTS = 'Dashboard → Authentication → Sign In / Providers: turn on “Allow anonymous sign-ins”.';
const OFFER_GUESTS = 'Add "guests": true to config.json, beside the published app.';

export const GUESTS = {
  right: fit(TITLES.guests, 'People who open a link can join without an account.'),
  allowed: fit(TITLES.guests, 'The project allows guests.'),
  refused: unfit(TITLES.guests, 'The app offers “Continue as guest”, but the project refuses guests.', ALLOW_GUESTS),
  notOffered: unfit(
    TITLES.guests,
    'The project allows guests, but the app doesn’t offer “Continue as guest”.',
    OFFER_GUESTS,
  ),
  off: advice(
    TITLES.guests,
    'Only people with an account can join by a link.',
    `If guests should join too: ${ALLOW_GUESTS} ${OFFER_GUESTS}`,
  ),
  projectOff: unfit(TITLES.guests, 'The project refuses guests.', ALLOW_GUESTS),
  signInFailed: (why: string) =>
    unfit(
      TITLES.guests,
      `The project allows guests, but refused one: ${why}.`,
      'If this is a limit: Dashboard → Authentication → Rate Limits. Otherwise apply the migrations: supabase db push --remote',
    ),
};

export const ACCOUNTS = {
  confirmed: fit(TITLES.accounts, 'People can create an account, and confirm its email.'),
  unconfirmed: advice(
    TITLES.accounts,
    'People can create an account with an email that isn’t theirs.',
    'Dashboard → Authentication → Sign In / Providers → Email: turn on “Confirm email”. It needs an email service (SMTP).',
  ),
  embedded: fit(
    TITLES.accounts,
    'People can create an account. No one confirms emails, because this server sends none.',
  ),
  closed: advice(
    TITLES.accounts,
    'No one can create an account by email.',
    'If people should: Dashboard → Authentication → Sign In / Providers: turn on “Allow new users to sign up” and “Email”.',
  ),
};

export const LINKS = {
  right: (site: string) => fit(TITLES.links, `They may lead to ${site}.`),
  wrong: (site: string, instead: string) =>
    unfit(
      TITLES.links,
      `They lead to ${instead} instead of ${site}, so no one can sign in by email or reset a password.`,
      `Dashboard → Authentication → URL Configuration → Redirect URLs: add ${site}/**`,
    ),
  withoutSite: (instead: string) =>
    unknown(
      TITLES.links,
      `Without another address they lead to ${instead}.`,
      'Name your site: --site https://your.site',
    ),
  unseen: unknown(
    TITLES.links,
    'A browser can’t see where they lead.',
    'Run “npm run doctor” on a computer with Node.',
  ),
};

export const PRIVATE_CHANNELS = {
  right: fit(TITLES.privateChannels, 'Only people with access can use Realtime.'),
  open: unfit(
    TITLES.privateChannels,
    'Anyone with the public key can open channels and use up the project’s quota.',
    'Dashboard → Realtime → Settings: turn off “Allow public access”.',
  ),
};

export const REALTIME = {
  right: (ms: number) => fit(TITLES.realtime, `A private channel was joined; a message takes ${ms} ms there and back.`),
  slow: (ms: number) =>
    advice(
      TITLES.realtime,
      `A message takes ${ms} ms there and back, so others see your words late.`,
      'Measure again from another network. A project in a region nearer to its people is faster.',
    ),
  refused: (why: string) =>
    unfit(
      TITLES.realtime,
      `A private channel was refused: ${why}`,
      'Dashboard → Realtime → Settings: turn Realtime on. If it is on, apply the migrations: supabase db push --remote',
    ),
  notTried: unknown(TITLES.realtime, 'Only someone who is signed in can try it.', 'Allow guests, then check again.'),
};

// The database has the same number, which only the owner can read.
const COMPARE =
  'Compare “liveBudget” in config.json, and messages_per_second in weft.settings, with the table of plans in docs/supabase.md.';

export const LIMITS = {
  embedded: fit(TITLES.limits, 'This server has no plan: its limits are above what a team uses.'),
  budget: (liveBudget: number) =>
    unknown(
      TITLES.limits,
      `Your plan’s limits can’t be seen from outside. The app stays below ${liveBudget} messages a second.`,
      COMPARE,
    ),
  unseen: unknown(TITLES.limits, 'Your plan’s limits can’t be seen from outside.', COMPARE),
};

export const FILES = {
  right: fit(TITLES.files, 'The bucket for pictures and files is there, and only people with access can upload to it.'),
  missing: unfit(
    TITLES.files,
    'The bucket “attachments” is missing.',
    'Apply the migrations: supabase db push --remote. If they are applied: Dashboard → Storage → New bucket “attachments”, private, 25 MB.',
  ),
  open: unfit(
    TITLES.files,
    'Anyone with the public key can upload files.',
    'Dashboard → Storage → Policies: remove policies on “attachments” that are not Weft’s.',
  ),
};
