// The pictures of a comment that is being written, each with its description.
import X from 'lucide-react/icons/x';
import type { WritableFiles } from '../../../ports/files.ts';
import { MAX_ALT_LENGTH } from '../../../protocol/comments.ts';
import { IconButton } from '../../../ui/controls/button.tsx';
import { toast } from '../../../ui/floating/toast.tsx';
import { Thumbnail } from '../thread/comment-pictures.tsx';
import type { useCommentBody } from './use-comment-body.ts';

type ComposerPicturesProps = {
  readonly written: Pick<ReturnType<typeof useCommentBody>, 'pictures' | 'describe' | 'removePicture'>;
  readonly files: WritableFiles;
};

export function ComposerPictures({ written, files }: ComposerPicturesProps) {
  const { pictures, describe, removePicture } = written;
  if (pictures.length === 0) return null;
  return (
    <ul className="comment-pictures" aria-label="Pictures">
      {pictures.map((picture) => (
        <li key={picture.picture} className="composer-picture">
          <Thumbnail picture={picture} files={files} />
          <input
            className="input"
            aria-label="Describe this picture"
            placeholder="Describe this picture"
            dir="auto"
            value={picture.alt}
            onChange={({ target }) => {
              if (target.value.length <= MAX_ALT_LENGTH) describe(picture, target.value);
              else toast(`At most ${MAX_ALT_LENGTH} characters.`);
            }}
          />
          <IconButton label="Remove picture" onClick={() => removePicture(picture)}>
            <X className="icon" />
          </IconButton>
        </li>
      ))}
    </ul>
  );
}
