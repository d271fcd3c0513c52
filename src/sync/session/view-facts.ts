// Facts that only the view shows, beside the state that the parts share. `isClosing` also ends what is under way.
import type { WeftError } from '../protocol/errors.ts';
import type { DocumentFacts } from '../protocol/log-answers.ts';
import type { SessionView } from './views.ts';

export class ViewFacts {
  document: DocumentFacts | null = null;
  lastSaved: SessionView['lastSaved'] = null;
  lastTryFailed = false;
  /** The error of the last failed call. It replaces the error of the state when both have the same code. */
  lastError: WeftError | null = null;
  rebuilds = 0;
  /** SN7: the seq of a stored snapshot that does not say what the log says. */
  wrongSnapshot: number | null = null;
  isClosing = false;
}
