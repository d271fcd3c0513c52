// Props and title that the cards for lost words and their place in the text share.
import type { Editor } from '@tiptap/core';
import type { Session } from '../../sync/session/session-api.ts';
import type { ProfilesById } from '../carets/caret-layer.ts';
import { type LostWordsEntry, lostTitle } from './lost-list.ts';

export type LostWordsProps = {
  readonly editor: Editor;
  readonly session: Session;
  readonly people: ProfilesById;
  readonly editable: boolean;
};

export function lostTitleFor(lost: LostWordsEntry, people: ProfilesById): string {
  const name = lost.by === null ? undefined : people.get(lost.by)?.displayName;
  return lostTitle(lost, name ?? 'Someone');
}
