// Props and title that the cards for lost words and their place in the text share.
import type { Editor } from '@tiptap/core';
import type { UserId } from '../../protocol/ids.ts';
import type { Session } from '../../sync/session/session-api.ts';
import type { ProfilesById } from '../carets/caret-layer.ts';
import { type LostWordsEntry, lostTitle } from './lost-list.ts';

export type LostWordsProps = {
  readonly editor: Editor;
  readonly session: Session;
  readonly people: ProfilesById;
  readonly editable: boolean;
};

export function lostTitleFor(lost: LostWordsEntry, people: ProfilesById, me: UserId): string {
  const nameOf = (user: UserId) => (user === me ? null : (people.get(user)?.displayName ?? 'Someone'));
  const writer = lost.writer ?? null;
  return lostTitle(lost, lost.by === null ? 'Someone' : nameOf(lost.by), writer === null ? null : nameOf(writer));
}
