// What is written in a comment's field: its lines from the editor, its pictures beside it. Stored as a draft with each change.
import { useRef, useState } from 'react';
import type { WritableFiles } from '../../../ports/files.ts';
import {
  type CommentBody,
  type CommentLine,
  type CommentPicture,
  MAX_COMMENT_PICTURES,
  linesOf,
  picturesOf,
} from '../../../protocol/comments.ts';
import { FILE_TEXTS } from '../../../texts/file-texts.ts';
import { toast } from '../../../ui/floating/toast.tsx';
import type { CommentDraft } from './comment-drafts.ts';

type Options = {
  readonly draft: CommentDraft;
  /** The comment before anything was typed. */
  readonly before: CommentBody;
  readonly files: WritableFiles;
  readonly onType: ((isEmpty: boolean) => void) | undefined;
};

export function useCommentBody({ draft, before, files, onType }: Options) {
  const [body, setBody] = useState(draft.body ?? before);
  /** A file may be read while someone types. */
  const latest = useRef(body);
  const [reading, setReading] = useState(0);
  const isDiscarded = useRef(false);
  const adding = useRef(Promise.resolve());
  const change = (changed: CommentBody) => {
    latest.current = changed;
    setBody(changed);
    draft.write(changed.length === 0 ? null : changed);
    onType?.(changed.length === 0);
  };
  const isOfComment = ({ picture }: CommentPicture) => picturesOf(before).some((one) => one.picture === picture);
  const setPictures = (pictures: readonly CommentPicture[]) => change([...linesOf(latest.current), ...pictures]);

  const addPictures = async (given: readonly File[]) => {
    for (const file of given) {
      if (picturesOf(latest.current).length >= MAX_COMMENT_PICTURES) {
        toast(`A comment can have ${MAX_COMMENT_PICTURES} pictures.`);
        break;
      }
      const added = await files.add(file);
      if (!added.ok) toast(`${file.name}: ${FILE_TEXTS[added.error]}`);
      else if (added.value.kind !== 'image' || isDiscarded.current) files.cancel(added.value.id);
      else {
        const { id, width, height } = added.value;
        setPictures([...picturesOf(latest.current), { kind: 'picture', picture: id, width, height, alt: '' }]);
      }
    }
  };

  return {
    body,
    pictures: picturesOf(body),
    /** A picture is being read, and is not in the comment yet. */
    isReading: reading > 0,
    setLines: (lines: readonly CommentLine[]) => change([...lines, ...picturesOf(latest.current)]),
    describe: (picture: CommentPicture, alt: string) =>
      setPictures(picturesOf(latest.current).map((one) => (one.picture === picture.picture ? { ...one, alt } : one))),
    addPictures: (given: readonly File[]) => {
      setReading((count) => count + 1);
      // One after the other, so that those of two pastes are counted together.
      adding.current = adding.current
        .then(() => addPictures(given))
        .catch(reportError)
        .finally(() => setReading((count) => count - 1));
    },
    removePicture: (picture: CommentPicture) => {
      setPictures(picturesOf(latest.current).filter((one) => one.picture !== picture.picture));
      // Those that the comment has stay until it is sent without them.
      if (!isOfComment(picture)) files.cancel(picture.picture);
    },
    /** It was sent, or another tab sent or discarded it. */
    clear: () => {
      latest.current = [];
      setBody([]);
      draft.write(null);
    },
    discard: () => {
      isDiscarded.current = true;
      for (const picture of picturesOf(latest.current)) if (!isOfComment(picture)) files.cancel(picture.picture);
      draft.write(null);
    },
  };
}
