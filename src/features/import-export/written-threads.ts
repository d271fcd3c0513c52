// The threads of a page as they are written into its file. Loaded on demand.
import type { WrittenThread } from 'weft-document/comments/written-thread.ts';
import { capitalized } from '../../lib/text/capitalized.ts';
import type { ShownThread } from '../../state/comments/shown-threads.ts';
import { SOMEONE_WHO_LEFT } from '../../state/people/author-name.ts';
import type { PeopleById } from '../../state/people/people.ts';

/** Without what was deleted, and what the server refused: no one else has it. */
export const writtenThreads = (threads: readonly ShownThread[], people: PeopleById): readonly WrittenThread[] =>
  threads.flatMap(({ anchor, resolved, comments }) => {
    const written = comments.flatMap(({ by, at, body, state }) => {
      if (body === null || state === 'refused') return [];
      const name = by === null ? capitalized(SOMEONE_WHO_LEFT) : (people.get(by)?.displayName ?? 'Someone');
      return [{ by: name, at, body }];
    });
    return written.length === 0 ? [] : [{ anchor, isResolved: resolved !== null, comments: written }];
  });
