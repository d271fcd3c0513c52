// By how much this device's clock differs from the server's, from the `Date` header of answers. PostgREST exposes it to
// other origins.

/** The header counts whole seconds. */
const HEADER_PRECISION_MS = 1_000;

export class ServerClock {
  /** The server's clock is this much ahead of this device's; negative if it is behind. */
  #aheadMs = 0;

  /** The server read its clock somewhere between these two times of this device. */
  answered(headers: Headers, sentAt: number, receivedAt: number): void {
    const date = Date.parse(headers.get('date') ?? '');
    if (Number.isNaN(date)) return;
    const least = date - receivedAt;
    const most = date + HEADER_PRECISION_MS - sentAt;
    // The smallest difference that explains the answer: two right clocks never differ by the time of a request.
    this.#aheadMs = least > 0 ? least : Math.min(0, most);
  }

  /** A time of the server as this device's clock shows it. A field, because ports take it without its object. */
  readonly toDevice = (at: number): number => at - this.#aheadMs;
}
