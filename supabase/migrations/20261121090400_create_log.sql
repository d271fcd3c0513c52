-- The log of a document: its head (narrow, hot), the sessions that write, the rows, and snapshots as a cache of them.

create table public.document_heads (
  document_id uuid primary key references public.documents (id) on delete cascade,
  head_seq bigint not null default 0,
  -- Bytes of the rows after snapshot_seq: says when a new snapshot pays.
  tail_bytes bigint not null default 0,
  snapshot_seq bigint not null default 0,
  snapshot_bytes bigint not null default 0,
  snapshot_lease_by uuid,
  snapshot_lease_until timestamptz,
  -- How far the watch topics were told, and when last.
  published_seq bigint not null default 0,
  published_at timestamptz,
  watched_until timestamptz
) with (fillfactor = 50); -- Updated by every append: room beside each row keeps those updates on its page.

-- One per open document in one tab that ever wrote. Never pruned: an outbox may come back after months.
create table public.document_sessions (
  session uuid not null,
  document_id uuid not null references public.documents (id) on delete cascade,
  -- The Yjs client id: the only one that its updates may carry.
  client_id bigint not null,
  -- No reference, here and in the log: what was written stays written when its author leaves.
  user_id uuid not null,
  last_n integer not null default 0,
  schema_version integer not null,
  opened_at timestamptz not null default now(),
  -- Per document: presence tells a session's id to everybody who may look, before it is registered. Unique everywhere,
  -- any of them could register it for a page of their own first, and its owner could never save.
  primary key (document_id, session),
  unique (document_id, client_id)
);

create table public.document_updates (
  document_id uuid not null references public.documents (id) on delete cascade,
  seq bigint not null,
  session uuid not null,
  n_from integer not null,
  n_to integer not null,
  appended_by uuid,
  update bytea not null,
  -- Parts of other sessions that this row builds on, packed as they travel: count, then each part with its session,
  -- numbers and bytes (src/protocol/row.ts). Null when there are none.
  dependencies bytea,
  created_at timestamptz not null default now(),
  primary key (document_id, seq)
);
-- Finds the row that holds an edit when its append is repeated.
create index document_updates_session_index on public.document_updates (document_id, session, n_to);

create table public.document_snapshots (
  document_id uuid not null references public.documents (id) on delete cascade,
  seq bigint not null,
  state bytea not null,
  sha256 text not null,
  created_by uuid,
  created_at timestamptz not null default now(),
  primary key (document_id, seq)
);
-- Deflated already: trying to compress it again costs time and gains nothing.
alter table public.document_snapshots alter column state set storage external;
