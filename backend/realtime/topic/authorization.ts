// Finds out through the policies on realtime.messages what an identity may do on a topic. Changes nothing in the database.
import type { Engine, Transaction } from '../../engine.ts';
import type { TokenIdentity } from '../../keys/token.ts';

export type Extension = 'broadcast' | 'presence';

export type Authorization = {
  /** The extensions that may be read; none when a policy fails, which counts as a refusal. */
  readonly readable: (
    identity: TokenIdentity,
    topic: string,
    extensions: readonly Extension[],
  ) => Promise<readonly Extension[]>;
  /** Null when a policy fails with an error: refused now, but checked again next time. */
  readonly mayWrite: (identity: TokenIdentity, topic: string, extension: Extension) => Promise<boolean | null>;
};

export function createAuthorization(pg: Engine, log: (line: string) => void): Authorization {
  async function probe<T>(ask: (tx: Transaction) => Promise<T>): Promise<T | null> {
    try {
      return await pg.transaction(async (tx) => {
        const answer = await ask(tx);
        await tx.rollback();
        return answer;
      });
    } catch (error) {
      log(`a policy on realtime.messages failed: ${error instanceof Error ? error.message : String(error)}`);
      return null;
    }
  }

  return {
    async readable({ role, claims }, topic, extensions) {
      const names = await probe(async (tx) => {
        const { rows } = await tx.query<{ names: readonly string[] }>(
          'select realtime.probe_read($1, $2, $3::jsonb, $4::text[]) as names',
          [topic, role, JSON.stringify(claims), extensions],
        );
        return rows[0]?.names ?? [];
      });
      return extensions.filter((extension) => names?.includes(extension) === true);
    },

    mayWrite({ role, claims }, topic, extension) {
      return probe(async (tx) => {
        const { rows } = await tx.query<{ allowed: boolean }>(
          'select realtime.probe_write($1, $2, $3::jsonb, $4) as allowed',
          [topic, role, JSON.stringify(claims), extension],
        );
        return rows[0]?.allowed === true;
      });
    },
  };
}
