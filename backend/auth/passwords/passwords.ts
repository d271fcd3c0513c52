// Hashes and compares passwords with bcrypt, as the hosted service does, so that accounts can move there and back. One takes
// 60 to 100 ms: a worker thread computes it, because WebSockets would wait otherwise.
import { Worker } from 'node:worker_threads';
import { AuthError, tooManyRequests } from '../auth-error.ts';

export type PasswordTask =
  | { readonly id: number; readonly kind: 'hash'; readonly password: string }
  | { readonly id: number; readonly kind: 'compare'; readonly password: string; readonly hash: string };

export type PasswordAnswer = { readonly id: number; readonly value: string | boolean };

/** bcrypt ignores all further bytes. */
export const MAX_PASSWORD_BYTES = 72;
/** Some fifteen seconds of work; further requests get 429. */
const MAX_WAITING = 200;
/** Cost 10. Compared with if there is no such account or it has no password: that refusal must not come sooner. */
const DUMMY_HASH = '$2b$10$S1VbTX3pi7pJFsoqLCqkLuSfvuEnAICyKxiC6WMgwT.ltj8wL4chK';

type Waiting = { readonly resolve: (value: string | boolean) => void; readonly reject: (error: Error) => void };

export class Passwords {
  readonly #cost: number;
  #worker: Worker | null = null;
  #lastId = 0;
  readonly #waiting = new Map<number, Waiting>();

  /** `cost`: bcrypt's cost of new hashes. */
  constructor(cost: number) {
    this.#cost = cost;
  }

  /** Throws a 429 if too many passwords wait. */
  refuseIfBusy(): void {
    if (this.#waiting.size >= MAX_WAITING) throw tooManyRequests();
  }

  async hash(password: string): Promise<string> {
    return String(await this.#run((id) => ({ id, kind: 'hash', password })));
  }

  /** A null `hash` never matches, and the answer takes as long as any other. */
  async matches(password: string, hash: string | null): Promise<boolean> {
    const known = hash === null || hash === '' ? null : hash;
    const isRight = await this.#run((id) => ({ id, kind: 'compare', password, hash: known ?? DUMMY_HASH }));
    return isRight === true && known !== null && Buffer.byteLength(password) <= MAX_PASSWORD_BYTES;
  }

  async close(): Promise<void> {
    await this.#worker?.terminate();
  }

  #run(taskOf: (id: number) => PasswordTask): Promise<string | boolean> {
    this.refuseIfBusy();
    const id = ++this.#lastId;
    const { promise, resolve, reject } = Promise.withResolvers<string | boolean>();
    this.#waiting.set(id, { resolve, reject });
    this.#worker ??= this.#start();
    this.#worker.postMessage(taskOf(id));
    return promise;
  }

  #start(): Worker {
    const worker = new Worker(new URL('password-worker.ts', import.meta.url), { workerData: this.#cost });
    // The worker must not keep the process alive; a request that waits for it has a socket that does.
    worker.unref();
    worker.on('message', ({ id, value }: PasswordAnswer) => {
      this.#waiting.get(id)?.resolve(value);
      this.#waiting.delete(id);
    });
    const rejectAll = () => {
      // 'exit' comes after 'error': by then another worker may have taken its place, with tasks of its own.
      if (this.#worker !== worker) return;
      this.#worker = null;
      for (const { reject } of this.#waiting.values())
        reject(new AuthError(500, 'unexpected_failure', 'Passwords cannot be checked now'));
      this.#waiting.clear();
    };
    worker.on('error', rejectAll);
    worker.on('exit', rejectAll);
    return worker;
  }
}

/** Throws an `AuthError` if the password is too long or too short. */
export function checkPassword(password: string, minLength: number): void {
  // The upper limit counts bytes, because bcrypt does; the lower one counts characters, as people do.
  if (Buffer.byteLength(password) > MAX_PASSWORD_BYTES) {
    throw new AuthError(400, 'validation_failed', `Password cannot be longer than ${MAX_PASSWORD_BYTES} characters`);
  }
  if (Array.from(password).length < minLength) {
    throw new AuthError(422, 'weak_password', `Password should be at least ${minLength} characters.`, {
      weak_password: { reasons: ['length'] },
    });
  }
}
