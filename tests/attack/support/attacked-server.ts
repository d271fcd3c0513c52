// A backend in a process of its own, and what a test may ask it.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import * as v from 'valibot';
import { ROOT } from '../../../scripts/root.mjs';
import { copyDatabase, dropDatabase } from '../../support/database/databases.ts';

const placeSchema = v.object({ url: v.string(), key: v.string() });
export type Place = v.InferOutput<typeof placeSchema>;

/** The variables that `npm start` sets: whether the process gives memory back depends on one of them. */
const { scripts } = v.parse(
  v.object({ scripts: v.object({ start: v.string() }) }),
  JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')),
);
const START_VARIABLES = Object.fromEntries(
  Array.from(scripts.start.matchAll(/(\w+)=(\S+)/g), ([, name = '', value = '']) => [name, value]),
);

export class AttackedServer {
  readonly place: Place;
  readonly #child: ChildProcess;
  readonly #databaseUrl: string;

  private constructor(child: ChildProcess, place: Place, databaseUrl: string) {
    this.#child = child;
    this.place = place;
    this.#databaseUrl = databaseUrl;
  }

  static async start(): Promise<AttackedServer> {
    const databaseUrl = await copyDatabase('backend');
    const child = fork(join(import.meta.dirname, 'own-server.ts'), [databaseUrl], {
      execArgv: ['--expose-gc'],
      env: { ...process.env, ...START_VARIABLES },
    });
    const [place] = await once(child, 'message');
    return new AttackedServer(child, v.parse(placeSchema, place), databaseUrl);
  }

  /** The bytes of memory that its process holds after a garbage collection. */
  async memory(): Promise<number> {
    const answered = once(this.#child, 'message');
    this.#child.send('memory');
    const [bytes] = await answered;
    return v.parse(v.number(), bytes);
  }

  async close(): Promise<void> {
    const ended = once(this.#child, 'exit');
    this.#child.disconnect();
    await ended;
    await dropDatabase(this.#databaseUrl);
  }
}
