// The pictures of a comment, below its text. Each has its size from the start, so nothing jumps when the bytes arrive.
import { useEffect, useState } from 'react';
import { openPicture } from '../../../editor/files/picture-dialog.ts';
import { uploadStatus } from '../../../editor/files/upload-status.ts';
import type { FileView, PageFiles, WritableFiles } from '../../../ports/files.ts';
import type { CommentPicture } from '../../../protocol/comments.ts';
import type { AttachmentId } from '../../../protocol/ids.ts';
import { FILE_TEXTS } from '../../../texts/file-texts.ts';
import { Button } from '../../../ui/controls/button.tsx';
import '../../../editor/files/files.css';
import './comment-pictures.css';

type CommentPicturesProps = {
  readonly pictures: readonly CommentPicture[];
  /** Null: not known yet. */
  readonly files: PageFiles | WritableFiles | null;
  /** Takes a picture that is not uploaded, or no longer there, out of the comment. */
  readonly onTakeOut?: (picture: AttachmentId) => void;
};

export const CommentPictures = ({ pictures, files, onTakeOut }: CommentPicturesProps) =>
  pictures.length === 0 || files === null ? null : (
    <ul className="comment-pictures" aria-label="Pictures">
      {pictures.map((picture) => (
        <li key={picture.picture}>
          <Thumbnail picture={picture} files={files} {...(onTakeOut === undefined ? {} : { onTakeOut })} />
        </li>
      ))}
    </ul>
  );

type ThumbnailProps = {
  readonly picture: CommentPicture;
  readonly files: PageFiles | WritableFiles;
  readonly onTakeOut?: (picture: AttachmentId) => void;
};

export function Thumbnail({ picture, files, onTakeOut }: ThumbnailProps) {
  const { picture: id, width, height, alt } = picture;
  const { state, url, upload } = useFileView(files, picture);
  const [isBroken, setBroken] = useState(false);
  const words = alt.trim() === '' ? 'Picture' : alt;
  const isHere = state === 'here' && url !== null && !isBroken;
  const problem = isBroken ? FILE_TEXTS.broken : PROBLEMS[state];
  return (
    <>
      <button
        type="button"
        className="comment-picture"
        title="Open"
        aria-haspopup="dialog"
        style={{ '--width': width, '--ratio': width / height }}
        disabled={!isHere}
        onClick={() => openPicture(files, id, { name: words, width, height, caption: alt })}
      >
        {isHere ? (
          <img src={url} alt={words} width={width} height={height} draggable={false} onError={() => setBroken(true)} />
        ) : (
          <span className="sr-only">{words}</span>
        )}
      </button>
      {!isHere && problem !== '' && <p className="comment-picture-note">{problem}</p>}
      {(upload !== null || (onTakeOut !== undefined && (state === 'missing' || state === 'denied'))) && (
        <div className="comment-picture-note" data-failed={upload?.state === 'failed' || undefined}>
          {upload !== null && <span role="status">{uploadStatus(upload)}</span>}
          {upload?.state === 'sending' && <span aria-hidden="true"> {Math.round(upload.fraction * 100)} %</span>}
          {upload?.state === 'failed' && 'retry' in files && (
            <Button size="small" onClick={() => files.retry(id)}>
              Try again
            </Button>
          )}
          {onTakeOut !== undefined && (
            <Button size="small" look="plain" onClick={() => onTakeOut(id)}>
              Remove picture
            </Button>
          )}
        </div>
      )}
    </>
  );
}

const PROBLEMS = {
  loading: '',
  here: '',
  missing: FILE_TEXTS.missing,
  offline: FILE_TEXTS.offline,
  denied: FILE_TEXTS.denied,
  undrawable: FILE_TEXTS.broken,
} as const satisfies Record<FileView['state'], string>;

const LOADING: FileView = { state: 'loading', url: null, upload: null };

function useFileView(files: PageFiles, { picture, width, height }: CommentPicture): FileView {
  const [view, setView] = useState(LOADING);
  useEffect(() => files.watch(picture, 'page', { width, height }, setView), [files, picture, width, height]);
  return view;
}
