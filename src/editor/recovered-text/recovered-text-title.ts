// Props and title that the cards for recovered text share with `recovered-text-slot.tsx`, which loads before them.
import type { Editor } from '@tiptap/core';
import type { UserId } from 'weft-sync/protocol/ids.ts';
import type { Session } from 'weft-sync/session/session-api.ts';
import type { ProfilesById } from '../carets/caret-layer.ts';
import type { RecoveredTextEntry } from './recovered-texts.ts';

export type RecoveredTextProps = {
  readonly editor: Editor;
  readonly session: Session;
  readonly people: ProfilesById;
  readonly editable: boolean;
};

export function recoveredTextTitle(entry: RecoveredTextEntry, people: ProfilesById, me: UserId): string {
  const nameOf = (user: UserId) => (user === me ? null : (people.get(user)?.displayName ?? 'Someone'));
  const writer = entry.writer ?? null;
  return titleFor(entry, entry.by === null ? 'Someone' : nameOf(entry.by), writer === null ? null : nameOf(writer));
}

/** `name` deleted it, `writer` wrote it; null for this person. */
function titleFor({ deleted, line }: RecoveredTextEntry, name: string | null, writer: string | null): string {
  const what = line === undefined ? 'block' : `table ${line}`;
  const by = name ?? 'You';
  if (deleted === undefined)
    return `${by} deleted a ${what} while ${writer === null ? 'you were' : `${writer} was`} typing in it`;
  return `${by} deleted ${deleted.ids.length === 1 ? `a ${what}` : `${deleted.ids.length} ${what}s`} that you had just edited`;
}
