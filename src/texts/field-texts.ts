// Texts shown below form fields.
import { MAX_TITLE_LENGTH } from '../protocol/limits.ts';
import { SIGN_IN_TEXTS } from './sign-in-texts.ts';

/** Shown below a field before anything is sent. */
export const FIELD_TEXTS = {
  missing: 'This is needed.',
  email: 'Enter your email address.',
  password: 'Enter your password.',
  newPassword: 'Choose a password.',
  name: 'Enter a name.',
  workspace: 'Give the workspace a name.',
  code: 'Enter the code from the email.',
  badEmail: SIGN_IN_TEXTS.badEmail,
  weakPassword: SIGN_IN_TEXTS.weakPassword,
  malformed: 'This isn’t a valid value.',
} as const;

/**
 * Shown below a field while it holds more than can be saved; null if it does not. Outer spaces are not saved, and the database
 * counts code points.
 */
export const tooLongText = (text: string, characters: number): string | null =>
  Array.from(text.trim()).length > characters ? `At most ${characters} characters.` : null;

/** Shown under the field for a link's address. */
export const BAD_ADDRESS = 'An address starts with https://, mailto: or tel:.';

/** Shown under the title's field when it takes no more. */
export const TITLE_FULL = `A title has at most ${MAX_TITLE_LENGTH} characters.`;
