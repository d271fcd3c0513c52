// The name that a person is called by where there is little room.
import type { Profile } from '../../protocol/answers.ts';
import { isUnnamedGuest } from '../../state/people/author-name.ts';

/** “Guest 2” keeps its number, to differ from other guests. */
export const firstName = ({ displayName }: Profile): string =>
  isUnnamedGuest(displayName) ? displayName : (displayName.trim().split(/\s+/u)[0] ?? displayName);
