// Tests start servers of their own. What the shell sets for `npm start` must not turn them to another database or project.

/** Names the one of them that stays: `npm run test:contract` and `test:realtime` set it, because their tests are for that server. */
export const TESTED_SERVER = 'WEFT_TESTED_SERVER';

const SERVERS = ['DATABASE_URL', 'REALTIME_URL', 'SUPABASE_URL'];

export function forgetServers(variables: Record<string, string | undefined>): void {
  for (const name of SERVERS) if (name !== variables[TESTED_SERVER]) delete variables[name];
}
