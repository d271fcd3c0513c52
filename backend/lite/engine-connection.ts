// Gap: @supabase/lite 0.10.0 has a connection that runs PGlite itself, in the thread that serves HTTP. This one is the same
// without it: everything lite asks goes through our engine, whichever that is.
import type { IConnectionConfig } from '@supabase/lite';
import { PgliteConnection } from '@supabase/lite/pglite';
import type { Engine } from '../engine.ts';
import { lockTransactions } from './transaction-lock.ts';

/** What both of lite's connections to Postgres extend; it is not exported. */
const PostgresConnection: new (options: IConnectionConfig) => PgliteConnection =
  Object.getPrototypeOf(PgliteConnection);

export class EngineConnection extends PostgresConnection {
  constructor(engine: Engine) {
    super({});
    lockTransactions(this, engine);
  }

  /** The engine is its owner's to close. */
  override async close(): Promise<void> {
    await this.clearSchemaCache();
  }
}
