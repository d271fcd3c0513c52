// Gap: @supabase/lite 0.10.0 has a connection that runs PGlite itself, in the thread that serves HTTP. This one is the same
// without it: everything lite asks goes through our engine, whichever that is.
import type { IConnectionConfig } from '@supabase/lite';
import { PgliteConnection } from '@supabase/lite/pglite';
import type { Engine } from '../engine.ts';
import { lockTransactions } from './transaction-lock.ts';

/** What both of lite's connections to Postgres extend; it is not exported. */
const PostgresConnection: new (options: IConnectionConfig) => PgliteConnection =
  Object.getPrototypeOf(PgliteConnection);

type Introspection = ReturnType<PgliteConnection['introspect']>;

export class EngineConnection extends PostgresConnection {
  #introspecting: Introspection | null = null;

  constructor(engine: Engine) {
    super({});
    lockTransactions(this, engine);
  }

  /** Requests that come while the schema is being read wait for that, instead of reading it once each. */
  override introspect(options?: { readonly useCache?: boolean }): Introspection {
    if (this.#introspecting !== null) return this.#introspecting;
    const reading = super.introspect(options).finally(() => {
      if (this.#introspecting === reading) this.#introspecting = null;
    });
    this.#introspecting = reading;
    return reading;
  }

  override clearSchemaCache(): Promise<void> {
    // What is being read may be what was there before.
    this.#introspecting = null;
    return super.clearSchemaCache();
  }

  /** The engine is its owner's to close. */
  override async close(): Promise<void> {
    await this.clearSchemaCache();
  }
}
