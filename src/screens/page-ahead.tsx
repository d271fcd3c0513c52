// Opens the page of the address ahead of its screen, while the screen's code, or the list of workspaces, is on its way.
import { useMatch } from 'react-router';
import type { DocumentId } from 'weft-sync/protocol/ids.ts';
import { useAppValue, useLease } from '../state/hooks.ts';
import type { PersonState } from '../state/person/person-state.ts';
import { parsePageParam } from '../state/workspace/page-address.ts';

export function PageAhead() {
  const person = useAppValue((app) => app.personAtom);
  const param = useMatch('/w/:workspace/p/:page')?.params.page;
  const id = param === undefined ? null : parsePageParam(param);
  return person !== null && id !== null && <OpenPage pages={person.pages} id={id} />;
}

function OpenPage({ pages, id }: Pick<PersonState, 'pages'> & { readonly id: DocumentId }) {
  useLease(pages, id);
  return null;
}
