// The addresses to which links in mails may lead. Such a link signs people in, and anyone can request a mail to someone
// else and name an address for its link: so only addresses of this backend, and of the machine on which it is opened,
// are allowed.
import { networkInterfaces } from 'node:os';

const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

type Options = {
  /** The address at which people reach this backend, such as "http://127.0.0.1:4400". */
  readonly origin: () => string;
  /** Other host names under which people reach it. */
  readonly hosts: readonly string[];
};

export class Redirects {
  readonly #options: Options;

  constructor(options: Options) {
    this.#options = options;
  }

  /** The requested address, or this backend's own if it is not allowed. */
  allow(requested: string | null): string {
    const url = requested === null || requested === '' ? null : URL.parse(requested);
    return url !== null && this.#isAllowed(url) ? url.href : this.#options.origin();
  }

  /** The beginning of a mail's links: the origin of the request if that is this backend's, otherwise `origin`. */
  base(request: URL): string {
    return this.#isOwn(request) ? request.origin : this.#options.origin();
  }

  #isAllowed(url: URL): boolean {
    if (url.protocol !== 'http:' && url.protocol !== 'https:') return false;
    if (url.username !== '' || url.password !== '') return false;
    return LOOPBACK.test(url.hostname) || this.#isOwn(url);
  }

  /** This backend's origin, a host name that the operator allows, or the same port at another address of this machine (LAN). */
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
