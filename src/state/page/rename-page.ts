// Renames a page that need not be on the screen. The title is part of the page's document, so the page is opened for it, and
// the edit is stored, sent and shown to others like any other.
import { type WeftError, weftError } from 'weft-sync/protocol/errors.ts';
import type { DocumentId } from 'weft-sync/protocol/ids.ts';
import type { RefCounted } from '../../lib/async/ref-counted.ts';
import type { Cancel } from '../../lib/cancel.ts';
import { type Result, err, ok } from '../../lib/result.ts';
import type { AtomStore } from '../store.ts';
import type { OpenPage } from './open-page.ts';

/** Without the server and without a copy on this device a page never opens. */
const OPENS_WITHIN_MS = 8_000;
/** The lists get the title from its text copy, 2 s after the edit (SY16). Until then the open page shows it. */
const STAYS_OPEN_MS = 6_000;

export async function renamePage(
  { pages, store, after }: RenamePorts,
  id: DocumentId,
  title: string,
): Promise<Result<void, WeftError>> {
  const { value: page, release } = pages.acquire(id);
  const problem = await opened(page, store, after);
  if (problem !== null) {
    release();
    return err(problem);
  }
  page.setTitle(title);
  after(STAYS_OPEN_MS, release);
  return ok(undefined);
}

export type RenamePorts = {
  readonly pages: Pick<RefCounted<DocumentId, OpenPage>, 'acquire'>;
  readonly store: AtomStore;
  readonly after: (ms: number, run: () => void) => Cancel;
};

/** Resolves once the page can be edited, or with the reason why it cannot. */
function opened(page: OpenPage, store: AtomStore, after: RenamePorts['after']): Promise<WeftError | null> {
  return new Promise((resolve) => {
    const stops: Cancel[] = [];
    const finish = (problem: WeftError | null) => {
      for (const stop of stops) stop();
      resolve(problem);
    };
    const check = () => {
      const { phase, editable, error, role } = page.getView();
      if (phase === 'ready' && editable) finish(null);
      else if (phase === 'failed') finish(error ?? weftError('WF011'));
      else if (phase === 'ready' && role !== null) finish(error ?? weftError('WF002'));
    };
    stops.push(
      store.sub(page.viewAtom, check),
      after(OPENS_WITHIN_MS, () => finish(weftError('WF011', 'the page did not open'))),
    );
    check();
  });
}
