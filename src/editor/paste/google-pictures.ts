// Pictures copied in Google's editors: the clipboard has their addresses only, which stop working after some time.
import { GOOGLE_PICTURE_HOSTS } from '../../protocol/google-pictures.ts';
import type { EmbeddedPictures } from '../html/embedded-pictures.ts';

/** Further pictures are not fetched: pasted content must not cause thousands of requests. */
const MAX_PICTURES = 100;
const FETCH_WITHIN_MS = 20_000;

/** Adds to `pictures` those of `body` that Google gives; false if one is missing, which keeps its address. */
export async function fetchPictures(body: ParentNode, pictures: EmbeddedPictures): Promise<boolean> {
  const images = Array.from(body.querySelectorAll('img'));
  const byAddress = Map.groupBy(images, (image) => image.getAttribute('src') ?? '');
  const addresses = Array.from(byAddress).filter(([address]) => isGooglePicture(address));
  const areThere = await Promise.all(
    addresses.map(async ([address, places], index) => {
      const picture = index < MAX_PICTURES ? await fetchPicture(address) : null;
      const name = picture === null ? null : pictures.add(picture, address);
      if (name !== null) for (const image of places) image.setAttribute('src', name);
      return name !== null;
    }),
  );
  return areThere.every(Boolean);
}

function isGooglePicture(address: string): boolean {
  const url = URL.parse(address);
  return url?.protocol === 'https:' && GOOGLE_PICTURE_HOSTS.includes(url.host);
}

/** Google gets no cookie and no address of the page: it learns that someone at this IP address pasted this picture. */
async function fetchPicture(address: string): Promise<Blob | null> {
  const signal = AbortSignal.timeout(FETCH_WITHIN_MS);
  try {
    const answer = await fetch(address, { credentials: 'omit', referrerPolicy: 'no-referrer', signal });
    return answer.ok ? await answer.blob() : null;
  } catch {
    return null;
  }
}
