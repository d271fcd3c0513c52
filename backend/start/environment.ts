// Reads and checks the environment variables: they name other services, or a plan whose limits apply.
import { type Plan, isPlan } from '../realtime/limits/plans.ts';
import { StartError } from '../start-error.ts';

export type Environment = {
  /** Undefined: the bundled PostgreSQL. */
  readonly databaseUrl: string | undefined;
  /** Undefined: our own Realtime. */
  readonly realtimeUrl: string | undefined;
  /** Signs access tokens instead of the secret in the data directory. */
  readonly jwtSecret: string | undefined;
  /** Undefined: Realtime has limits far above any plan's. */
  readonly plan: Plan | undefined;
};

const SECRET_LENGTH = 32;

/** Throws a `StartError` if a value is invalid, or if one variable lacks another. */
export function readEnvironment(variables: Readonly<Record<string, string | undefined>>): Environment {
  // An empty variable counts as not set, as in shell scripts.
  const [databaseUrl, realtimeUrl, jwtSecret, plan] = ['DATABASE_URL', 'REALTIME_URL', 'JWT_SECRET', 'WEFT_PLAN'].map(
    (name) => variables[name]?.trim() || undefined,
  );
  if (databaseUrl !== undefined && !/^postgres(?:ql)?:$/.test(URL.parse(databaseUrl)?.protocol ?? '')) {
    throw new StartError('DATABASE_URL takes an address like postgresql://user:password@host:5432/database.');
  }
  if (realtimeUrl !== undefined) {
    if (!/^https?:$/.test(URL.parse(realtimeUrl)?.protocol ?? '')) {
      throw new StartError('REALTIME_URL takes an address like http://127.0.0.1:4000.');
    }
    if (databaseUrl === undefined) {
      throw new StartError('REALTIME_URL needs DATABASE_URL: the database that the Realtime server reads.');
    }
    if (jwtSecret === undefined) {
      throw new StartError('REALTIME_URL needs JWT_SECRET: the secret that the Realtime server checks tokens with.');
    }
  }
  if (jwtSecret !== undefined && jwtSecret.length < SECRET_LENGTH) {
    throw new StartError(`JWT_SECRET takes at least ${SECRET_LENGTH} characters.`);
  }
  if (plan !== undefined && !isPlan(plan)) throw new StartError(`WEFT_PLAN takes free or pro, not ${plan}.`);
  return { databaseUrl, realtimeUrl, jwtSecret, plan };
}
