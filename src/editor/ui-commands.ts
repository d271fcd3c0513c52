// What keys and buttons in the text ask the tools beside it for: the form of a link, a menu, the search.

/**
 * One event per command, with one listener at a time. Some tools load after the text (`text-tools.tsx`): a command that
 * nobody listens to yet waits for its listener, but only until the next key or click, because later it would surprise.
 */
export class UiCommands extends EventTarget {
  readonly #heard = new Set<string>();
  #waiting: Event | null = null;

  override addEventListener(...[type, listener, options]: Parameters<EventTarget['addEventListener']>): void {
    super.addEventListener(type, listener, options);
    this.#heard.add(type);
    const waiting = this.#waiting;
    if (waiting?.type === type) {
      this.#forget();
      this.dispatchEvent(waiting);
    }
  }

  override removeEventListener(...[type, listener, options]: Parameters<EventTarget['removeEventListener']>): void {
    super.removeEventListener(type, listener, options);
    this.#heard.delete(type);
  }

  override dispatchEvent(event: Event): boolean {
    this.#forget();
    if (this.#heard.has(event.type)) return super.dispatchEvent(event);
    this.#waiting = event;
    // The key or click that asks has passed the window by now.
    for (const type of GOING_ON) window.addEventListener(type, this.#forget, { capture: true });
    return true;
  }

  readonly #forget = (): void => {
    this.#waiting = null;
    for (const type of GOING_ON) window.removeEventListener(type, this.#forget, { capture: true });
  };
}

const GOING_ON = ['keydown', 'pointerdown'];
