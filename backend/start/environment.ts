// What the environment says of services that stand beside this backend. Reads nothing else, and opens nothing.
import { StartError } from '../start-error.ts';

export type Environment = {
  /** Undefined: the bundled PostgreSQL. */
  readonly databaseUrl: string | undefined;
  /** Undefined: our own Realtime. */
  readonly realtimeUrl: string | undefined;
  /** Signs access tokens in place of the secret in the data directory. */
  readonly jwtSecret: string | undefined;
};

const SECRET_LENGTH = 32;

/** Throws a `StartError` when what is said cannot be meant. */
export function readEnvironment(variables: Readonly<Record<string, string | undefined>>): Environment {
  // Set to nothing means not set, as in every shell script.
  const [databaseUrl, realtimeUrl, jwtSecret] = ['DATABASE_URL', 'REALTIME_URL', 'JWT_SECRET'].map(
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
  return { databaseUrl, realtimeUrl, jwtSecret };
}
