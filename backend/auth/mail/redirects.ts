// Where links in mails may lead. They carry what signs somebody in, so only places of this backend are allowed: a stranger
// can ask for a mail to anybody, and name any address when asking.
import { networkInterfaces } from 'node:os';

const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

type Options = {
  /** Where people reach this backend, "http://127.0.0.1:4400". */
  readonly origin: () => string;
  /** Names under which it may be reached besides. */
  readonly hosts: readonly string[];
};

export class Redirects {
  readonly #options: Options;

  constructor(options: Options) {
    this.#options = options;
  }

  /** The address that was asked for, or the site's own when that is none of ours. */
  allow(asked: string | null): string {
    const url = asked === null || asked === '' ? null : URL.parse(asked);
    return url !== null && this.#isAllowed(url) ? url.href : this.#options.origin();
  }

  /** Where the links of a mail start: the name under which this request found us, if it is one of ours. */
  base(request: URL): string {
    return this.#isOwn(request) ? request.origin : this.#options.origin();
  }

  #isAllowed(url: URL): boolean {
    if (url.protocol !== 'http:' && url.protocol !== 'https:') return false;
    if (url.username !== '' || url.password !== '') return false;
    return LOOPBACK.test(url.hostname) || this.#isOwn(url);
  }

  /** This backend's origin, a name the operator gave, or the port under another address of this machine: what a LAN sees. */
  #isOwn(url: URL): boolean {
    const own = new URL(this.#options.origin());
    if (url.origin === own.origin || this.#options.hosts.includes(url.hostname)) return true;
    return url.protocol === own.protocol && url.port === own.port && isAddressOfThisMachine(url.hostname);
  }
}

function isAddressOfThisMachine(hostname: string): boolean {
  const address = hostname.replace(/^\[|\]$/g, '');
  return Object.values(networkInterfaces()).some((list) => list?.some((one) => one.address === address) ?? false);
}
