// `vite.config.ts` calls this before tests. They start servers of their own: variables of the shell must not point them at
// another database or project.

/**
 * The name of the variable that names the one of `SERVERS` that stays: `npm run test:contract` and `test:realtime` set it, because
 * their tests run against that server.
 */
export const TESTED_SERVER = 'WEFT_TESTED_SERVER';

const SERVERS = ['DATABASE_URL', 'REALTIME_URL', 'SUPABASE_URL'];

export function forgetServers(variables: Record<string, string | undefined>): void {
  for (const name of SERVERS) if (name !== variables[TESTED_SERVER]) delete variables[name];
}
