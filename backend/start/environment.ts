// Reads and checks the environment variables of the backend: they name a database, or a plan whose limits apply.
import { type Plan, isPlan } from '../realtime/limits/plans.ts';
import { StartError } from '../start-error.ts';

export type ServerEnvironment = {
  /** Undefined: the bundled PostgreSQL. */
  readonly databaseUrl: string | undefined;
  /** Undefined: Realtime has limits far above any plan's. */
  readonly plan: Plan | undefined;
};

/** Throws a `StartError` if a value is invalid. */
export function readEnvironment(variables: Readonly<Record<string, string | undefined>>): ServerEnvironment {
  // An empty variable counts as not set, as in shell scripts.
  const [databaseUrl, plan] = ['DATABASE_URL', 'WEFT_PLAN'].map((name) => variables[name]?.trim() || undefined);
  if (databaseUrl !== undefined && !/^postgres(?:ql)?:$/.test(URL.parse(databaseUrl)?.protocol ?? '')) {
    throw new StartError('DATABASE_URL takes an address like postgresql://user:password@host:5432/database.');
  }
  if (plan !== undefined && !isPlan(plan)) throw new StartError(`WEFT_PLAN takes free or pro, not ${plan}.`);
  return { databaseUrl, plan };
}
