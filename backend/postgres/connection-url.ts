// How clients reach the bundled PostgreSQL.

/** Not `postgres`: on a hosted project that is the name of somebody who is no superuser. */
export const SUPERUSER = 'supabase_admin';
export const DATABASE = 'postgres';

/** The socket's folder is a parameter, because the host of a URL cannot be a path. `psql` and node-postgres read it. */
export const socketUrl = (dir: string): string =>
  `postgresql://${SUPERUSER}@localhost/${DATABASE}?host=${encodeURIComponent(dir)}`;
