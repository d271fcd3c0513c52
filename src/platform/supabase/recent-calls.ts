// The last calls to the server, for someone who helps after an error: which, and how they went. Never what was in them.

export type RecentCall = {
  /** `rpc/append_update`, `rest/profiles`, `auth/token`, `storage/object`. */
  readonly name: string;
  /** Null if no answer came. */
  readonly status: number | null;
  readonly sentAt: number;
  readonly ms: number;
};

const MAX_CALLS = 20;

export class RecentCalls {
  #calls: readonly RecentCall[] = [];

  get(): readonly RecentCall[] {
    return this.#calls;
  }

  add(request: RequestInfo | URL, status: number | null, sentAt: number): void {
    const name = nameOf(request instanceof Request ? request.url : String(request));
    this.#calls = [...this.#calls, { name, status, sentAt, ms: Date.now() - sentAt }].slice(-MAX_CALLS);
  }
}

/** The rest of an address is left out: ids, filters and names of files. */
function nameOf(url: string): string {
  const [, service = '', rpc = `${service}/`, name] =
    /\/(auth|rest|storage)\/v1\/(rpc\/)?([a-z_]+)(?=[/?]|$)/.exec(url) ?? [];
  return name === undefined ? 'other' : rpc + name;
}
