// Says what the session may do right now. Every part reads it; only the runner of the machine (`state`), `Opening`
// (`isReady`), `TopicModeSwitch` (`topicMode`) and `LogFetcher` (`answerMs`) write it.
import { START, type State, connectionOf, maySend } from './machine.ts';

export type TopicMode = 'live' | 'view';

export class ConnectionState {
  state: State = START[0];
  /** SY1: the editor may bind. */
  isReady = false;

  /** A session is on the live topic with everyone else or, as one of many readers, on the view topic (VT1). */
  topicMode: TopicMode = 'live';

  /** How long the log took to answer the last time it was asked for rows. */
  answerMs = 0;

  /** The topic is joined and calls work. */
  get isLive(): boolean {
    return connectionOf(this.state)?.status === 'live';
  }

  /** Calls are worth a try. */
  get canCall(): boolean {
    return maySend(this.state);
  }

  /** Own edits may go out: the page is shown and calls are worth a try. */
  get maySend(): boolean {
    return this.isReady && this.canCall;
  }
}
