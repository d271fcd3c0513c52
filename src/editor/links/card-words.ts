// What a link card says. Made from its address alone: nothing is ever asked of where it leads.

type Card = { readonly url: string | null; readonly title: string };

export const cardTitle = ({ url, title }: Card): string =>
  title !== '' ? title : url === null ? 'Link without an address' : bare(url);

/** The host, so that nobody follows a title elsewhere than they think. */
export function cardHost({ url }: Card): string {
  if (url === null) return 'Add an address';
  try {
    const { hostname, protocol, pathname } = new URL(url);
    return hostname !== '' ? hostname : `${protocol}${pathname}`;
  } catch {
    return 'This Weft';
  }
}

const bare = (url: string): string => url.replace(/^https?:\/\/(?:www\.)?/i, '').replace(/\/$/, '');
