// A cookie by which Auth knows a device on which the account was signed in before, so that wrong passwords from elsewhere do not
// lock this device out. It gives no right, and names no one: a random id, and a proof of it that only this backend can make, for
// one account. Browsers send it because app and backend have one origin.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { AuthCall } from '../call.ts';

const NAME = 'weft-device';
const LIFETIME_SECONDS = 365 * 86_400;
const FORM = new RegExp(`(?:^|; *)${NAME}=([\\w-]{22})\\.([\\w-]{43})(?:;|$)`);

export class KnownDevices {
  readonly #key: Buffer;

  constructor(secret: string) {
    this.#key = createHmac('sha256', secret).update('known devices').digest();
  }

  /** The id of the device if the account was signed in on it; null otherwise. */
  idOf({ headers }: AuthCall, account: string): string | null {
    const [, id = '', proof = ''] = FORM.exec(headers.get('cookie') ?? '') ?? [];
    const right = Buffer.from(this.#prove(id, account));
    const given = Buffer.from(proof);
    return given.length === right.length && timingSafeEqual(given, right) ? id : null;
  }

  /** The value of a `Set-Cookie` header. */
  cookieFor(account: string, { url }: AuthCall): string {
    const id = randomBytes(16).toString('base64url');
    const value = `${NAME}=${id}.${this.#prove(id, account)}`;
    const secure = url.protocol === 'https:' ? '; Secure' : '';
    return `${value}; Path=/auth/v1/token; Max-Age=${LIFETIME_SECONDS}; HttpOnly; SameSite=Strict${secure}`;
  }

  #prove(id: string, account: string): string {
    return createHmac('sha256', this.#key).update(`${id} ${account}`).digest('base64url');
  }
}
