// A tab's calls of the server's functions through the simulated network: the request or the answer may be lost or late, and
// the server may refuse calls for some time.
import type { Log } from 'weft-sync/ports.ts';
import { type WeftError, weftError } from 'weft-sync/protocol/errors.ts';
import { type Result, err } from '../../../src/lib/result.ts';
import { type Network, TIMEOUT_MS } from './network.ts';
import type { TabScheduler } from './tab-scheduler.ts';

/** Faults of a tab's calls. */
export interface HttpFaults {
  readonly isHttpCut: boolean;
  /** Only appends do not reach the server. */
  readonly isAppendCut: boolean;
  readonly isTokenExpired: boolean;
  readonly isThrottled: boolean;
}

export function simLog(log: Log, scheduler: TabScheduler, network: Network, faults: HttpFaults, name: string): Log {
  const lost = err(weftError('WF011', 'no answer'));
  const refusal = (): WeftError | null => {
    if (faults.isTokenExpired) {
      network.coverage.count('answered WF003 (token expired)');
      return weftError('WF003', 'JWT expired');
    }
    if (!faults.isThrottled) return null;
    network.coverage.count('answered WF008 (429)');
    return weftError('WF008', 'Too many requests');
  };
  const call =
    <Args extends unknown[], T>(what: string, run: (...args: Args) => Promise<Result<T, WeftError>>) =>
    async (...args: Args): Promise<Result<T, WeftError>> => {
      const fate = network.callFate(faults.isHttpCut || (faults.isAppendCut && what === 'append'));
      network.note(`${name} ${what} ${fate.kind}`);
      if (fate.kind === 'requestLost') {
        await scheduler.wait(fate.fails === 'at once' ? 1 : TIMEOUT_MS);
        return scheduler.pass(lost);
      }
      const execute = async () => {
        await scheduler.wait(fate.thereMs);
        // The request of a tab that was killed meanwhile is executed too, and no one receives the answer.
        const refused = refusal();
        const answer = refused === null ? await run(...args) : err(refused);
        network.note(`${name} ${what} ${answer.ok ? 'ok' : answer.error.code}`);
        if (!answer.ok && (answer.error.code === 'WF001' || answer.error.code === 'WF002'))
          network.coverage.count('refused for lack of a right');
        return answer;
      };
      if (fate.kind === 'answerLost') {
        // The caller may give up before the request arrives.
        void execute();
        await scheduler.wait(fate.failsAfterMs);
        return scheduler.pass(lost);
      }
      const answer = await execute();
      await scheduler.wait(fate.backMs);
      return scheduler.pass(answer);
    };
  const append = call('append', log.append);
  return {
    ...log,
    open: call('open', log.open),
    startSession: call('startSession', log.startSession),
    append: (one, options) => {
      if (options?.keepalive === true) network.coverage.count('append of a page being hidden');
      return append(one, options);
    },
    putBack: call('putBack', log.putBack),
    rowsSince: call('rowsSince', log.rowsSince),
    keepWatching: call('keepWatching', log.keepWatching),
    present: call('present', log.present),
    announce: call('announce', log.announce),
    sessionInfo: call('sessionInfo', log.sessionInfo),
    publishPending: call('publishPending', log.publishPending),
    saveText: call('saveText', log.saveText),
  };
}
