// The pictures of people, by the path in their profile. Each one is fetched when it is first shown, and stays until the person
// signs out: pictures are small.
import type { WeftError } from 'weft-sync/protocol/errors.ts';
import type { Cancel } from '../../lib/cancel.ts';
import type { Result } from '../../lib/result.ts';
import { Subscribable } from '../../lib/subscribable.ts';
import type { ObjectUrls } from '../../ports/files.ts';

export interface PersonPictures {
  /** Fetches the picture, and runs the callback when it is there. */
  readonly watch: (path: string, run: () => void) => Cancel;
  /** The URL of the picture; null while it is not there. */
  readonly urlOf: (path: string) => string | null;
  /** Tries the pictures that are shown and could not be fetched once more. */
  readonly retry: () => void;
  readonly close: () => void;
}

type ShownPicture = { readonly changes: Subscribable; url: string | null; isSettled: boolean };

export function personPictures(ports: {
  readonly fetch: (path: string) => Promise<Result<Blob, WeftError>>;
  readonly objectUrls: ObjectUrls;
}): PersonPictures {
  const pictures = new Map<string, ShownPicture>();
  let isClosed = false;

  const load = async (path: string, picture: ShownPicture): Promise<void> => {
    if (picture.isSettled) return;
    picture.isSettled = true;
    const answer = await ports.fetch(path);
    // A picture that no one may see, or that is gone, does not come back under this path.
    if (!answer.ok) return void (picture.isSettled = answer.error.code === 'WF001');
    const url = await ports.objectUrls.create(answer.value);
    if (isClosed) return void (url !== null && ports.objectUrls.revoke(url));
    picture.url = url;
    picture.changes.notify();
  };

  return {
    watch(path, run) {
      const picture = pictures.get(path) ?? { changes: new Subscribable(), url: null, isSettled: false };
      pictures.set(path, picture);
      void load(path, picture);
      return picture.changes.subscribe(run);
    },
    urlOf: (path) => pictures.get(path)?.url ?? null,
    retry() {
      for (const [path, picture] of pictures) if (picture.changes.size > 0) void load(path, picture);
    },
    close() {
      isClosed = true;
      for (const { url } of pictures.values()) if (url !== null) ports.objectUrls.revoke(url);
      pictures.clear();
    },
  };
}
