// A page as it is now, to look at without opening it: no one sees this person there.
import { type Atom, atom } from 'jotai/vanilla';
import type { Block } from 'weft-document/blocks/block.ts';
import { parseBody } from 'weft-document/body/parse-body.ts';
import { readTitle } from 'weft-document/title.ts';
import { type WeftError, weftError } from 'weft-sync/protocol/errors.ts';
import type { DocumentId } from 'weft-sync/protocol/ids.ts';
import { coalesced } from '../../lib/async/coalesced.ts';
import { err } from '../../lib/result.ts';
import type { PageReader } from '../../ports/workspace.ts';
import type { AtomStore } from '../store.ts';

export type PreviewState = {
  /** Null before the first answer. */
  readonly page: { readonly title: string; readonly blocks: readonly Block[] } | null;
  readonly error: WeftError | null;
};

export interface PagePreview {
  readonly atom: Atom<PreviewState>;
  readonly load: () => Promise<void>;
}

export function pagePreview(options: {
  readonly document: DocumentId;
  readonly store: AtomStore;
  readonly reader: Pick<PageReader, 'read'>;
}): PagePreview {
  const { document, store, reader } = options;
  const stateAtom = atom<PreviewState>({ page: null, error: null });
  return {
    atom: stateAtom,
    load: coalesced(async () => {
      store.set(stateAtom, { page: null, error: null });
      // The first call loads the code that reads pages, which can fail.
      const answer = await reader.read(document).catch(() => err(weftError('WF011', 'the page was not read')));
      if (!answer.ok) return store.set(stateAtom, { page: null, error: answer.error });
      const doc = answer.value;
      store.set(stateAtom, { page: { title: readTitle(doc), blocks: parseBody(doc) }, error: null });
      doc.destroy();
    }),
  };
}
