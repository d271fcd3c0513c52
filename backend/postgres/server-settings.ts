// The settings with which the bundled PostgreSQL runs. They are given at each start, so that a newer Weft can change
// them; `postgresql.conf` in the cluster holds what an operator adds.

const ALWAYS = [
  // The pool has 16, one connection listens; the rest is for psql and tools.
  'max_connections=40',
  'shared_buffers=64MB',
  // Containers often have little or no /dev/shm; parallel plans, which would use much of it, gain nothing on small
  // tables.
  'dynamic_shared_memory_type=mmap',
  'max_parallel_workers_per_gather=0',
  'jit=off',
  // Sizes for a small database, so that the log does not take more room than the data.
  'max_wal_size=256MB',
  'min_wal_size=32MB',
  'timezone=UTC',
  'log_timezone=UTC',
  'lc_messages=C',
  // Log the server's own events, not refused statements: requests answer with those.
  'log_min_messages=log',
  'log_checkpoints=off',
  'logging_collector=off',
  'log_destination=stderr',
];

/** Settings for data that need not survive a power cut. */
const NOT_DURABLE = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'];

export const serverSettings = (isDurable: boolean): readonly string[] => [
  ...ALWAYS,
  ...(isDurable ? ['fsync=on', 'synchronous_commit=on', 'full_page_writes=on'] : NOT_DURABLE),
];
