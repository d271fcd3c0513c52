// Data directories for tests of the command: a used one is copied for each test, because a first start takes seconds.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type SupabaseClient, createClient } from '@supabase/supabase-js';
import * as v from 'valibot';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { openDatabase } from '../../../backend/database.ts';
import { BackendProcess } from '../../support/server/backend-process.ts';
import { copyFolder, removeFolder, temporaryFolder } from '../../support/server/temporary-folder.ts';

const readyForm = v.looseObject({ url: v.string(), serviceRoleKey: v.string(), dbUrl: v.string() });

export type Started = {
  readonly process: BackendProcess;
  readonly client: SupabaseClient;
  readonly dbUrl: string;
};

export class DataFixture {
  #template = '';
  #folder = '';
  readonly #processes: BackendProcess[] = [];

  /** `parent` is the folder for its folders. */
  constructor(parent?: string) {
    beforeAll(async () => {
      this.#template = await temporaryFolder('template', parent);
      const database = await openDatabase({ dir: join(this.#template, 'data') });
      await database.close();
    });
    beforeEach(async () => {
      this.#folder = await temporaryFolder('data', parent);
    });
    afterEach(async () => {
      await Promise.all(this.#processes.splice(0).map((process) => process.end('SIGKILL')));
      await removeFolder(this.#folder);
    });
    afterAll(() => removeFolder(this.#template));
  }

  /** A folder that is removed after the test. */
  get folder(): string {
    return this.#folder;
  }

  /** The data directory that the commands get unless they are given another. */
  get data(): string {
    return join(this.#folder, 'data');
  }

  /** Makes `data` one that has been used. */
  async useTemplate(): Promise<void> {
    await copyFolder(join(this.#template, 'data'), this.data);
  }

  run(...args: string[]): BackendProcess {
    const started = new BackendProcess(args);
    this.#processes.push(started);
    return started;
  }

  async start(data = this.data): Promise<Started> {
    const process = this.run('backend', '--port', '0', '--json', '--data', data);
    const { url, serviceRoleKey, dbUrl } = v.parse(readyForm, JSON.parse(await process.line()));
    const client = createClient(url, serviceRoleKey, { auth: { persistSession: false, autoRefreshToken: false } });
    return { process, client, dbUrl };
  }

  /** Returns what a start that must fail writes to standard error. */
  async refusal(data = this.data): Promise<string> {
    const process = this.run('start', '--port', '0', '--data', data);
    const line = await process.line().catch(() => null);
    if (line !== null) throw new Error(`it started: ${line}`);
    const code = await process.end();
    if (code !== 1 || process.stdout !== '') throw new Error(`ended with ${code} and wrote "${process.stdout}"`);
    return process.stderr;
  }

  /** The process id of the PostgreSQL server. */
  async serverPid(): Promise<number> {
    return Number.parseInt(await readFile(join(this.data, 'postgres/postmaster.pid'), 'utf8'), 10);
  }
}
