// The people of a simulated world type, move their carets and compose words, by chance. Their random numbers
// are separate from those of the network, so that a change in what people type leaves the faults as they were.
import type { Place } from 'weft-sync/protocol/place.ts';
import { STANCES } from 'weft-sync/protocol/presenting.ts';
import * as Y from 'yjs';
import { prng } from '../../../src/lib/prng.ts';
import type { Coverage } from '../checks/coverage.ts';
import { textOf } from '../checks/document-content.ts';
import { RandomTyping } from './random-typing.ts';
import type { SimTab } from './sim-tab.ts';
import type { SimWatcher } from './sim-watcher.ts';

export class SimPeople {
  readonly random: () => number;
  /**
   * In every seventh world people compose words, and remote changes wait meanwhile. A random stream of its own leaves
   * the other worlds as they were.
   */
  readonly #composing: (() => number) | null;
  /** In every fifth world people present and follow. Again the others stay as they were. */
  readonly #presenting: (() => number) | null;
  #places = 0;
  readonly #typing: RandomTyping;
  readonly #coverage: Coverage;

  constructor(seed: number, coverage: Coverage) {
    this.random = prng(seed * 4 + 1);
    this.#composing = seed % 7 === 6 ? prng(seed * 4) : null;
    this.#presenting = seed % 5 === 1 ? prng(seed * 7 + 5) : null;
    this.#typing = new RandomTyping(prng(seed * 4 + 2), coverage);
    this.#coverage = coverage;
  }

  chance(probability: number): boolean {
    return this.random() < probability;
  }

  /** One edit in some of the tabs, and sometimes a new position of the caret. */
  typeInSome(tabs: readonly SimTab[]): void {
    for (const tab of tabs) if (this.chance(0.45) && tab.mayType) this.#typeIn(tab);
  }

  composeInSome(tabs: readonly SimTab[]): void {
    const random = this.#composing;
    if (random === null) return;
    for (const tab of tabs) {
      if (random() > 0.15) continue;
      tab.pauseRemote(50 + random() * 1_950);
      this.#coverage.count('remote changes paused');
    }
  }

  /** Some begin to present, move, stop, follow or decline, where they may and where they may not. */
  presentInSome(tabs: readonly SimTab[], watchers: readonly SimWatcher[]): void {
    const random = this.#presenting;
    if (random === null) return;
    for (const { session, scheduler } of tabs) {
      if (random() > 0.25 || scheduler.isFrozen) continue;
      const what = random();
      if (what < 0.15) session.stopPresenting();
      else if (what < 0.3) session.setStance(STANCES[Math.floor(random() * STANCES.length)] ?? 'none');
      else if (session.getView().presenter?.isOwn === true || what > 0.8) session.present(this.nextPlace());
    }
    for (const { session } of watchers)
      if (random() < 0.05) session.setStance(STANCES[Math.floor(random() * STANCES.length)] ?? 'none');
  }

  /** A place that no one has presented before. */
  nextPlace(): Place {
    this.#places += 1;
    return { block: 'top', offset: this.#places };
  }

  #typeIn(tab: SimTab): void {
    const { session } = tab;
    tab.act(() => this.#typing.type(session.doc));
    if (this.chance(0.3)) this.moveCaret(session);
  }

  moveCaret({ doc, awareness }: SimTab['session']): void {
    const text = textOf(doc);
    const at = Math.floor(this.random() * (text.length + 1));
    const position = Y.relativePositionToJSON(Y.createRelativePositionFromTypeIndex(text, at));
    awareness.setLocalStateField('cursor', { anchor: position, head: position });
  }
}
