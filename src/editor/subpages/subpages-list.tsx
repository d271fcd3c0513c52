// The list of the pages below this one, in the editor and for readers.
import { use } from 'react';
import { SubpagesContext } from './subpages-context.ts';

export function SubpagesList() {
  const list = use(SubpagesContext);
  return (
    <nav className="subpages" aria-label="Subpages">
      {list ?? <p>The subpages are listed here for people in the workspace.</p>}
    </nav>
  );
}
