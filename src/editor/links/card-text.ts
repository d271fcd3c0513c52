// The texts of a link card, made from its own title and URL: the link's target is never loaded.

type Card = { readonly url: string | null; readonly title: string };

export const cardTitle = ({ url, title }: Card): string =>
  title !== '' ? title : url === null ? 'Link without an address' : bare(url);

/** The host, so that users see where a link leads whatever its title says. */
export function cardHost({ url }: Card): string {
  if (url === null) return 'Add an address';
  try {
    const { hostname, protocol, pathname } = new URL(url);
    return hostname !== '' ? hostname : `${protocol}${pathname}`;
  } catch {
    return 'This site';
  }
}

const bare = (url: string): string => url.replace(/^https?:\/\/(?:www\.)?/i, '').replace(/\/$/, '');
