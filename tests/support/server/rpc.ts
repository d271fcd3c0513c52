// Calls of the database's functions. Unlike those of supabase-js, they throw.
import { randomUUID } from 'node:crypto';
import type { SupabaseClient } from '@supabase/supabase-js';
import { type DocumentId, parseDocumentId } from 'weft-sync/protocol/ids.ts';
import { SCHEMA_VERSION } from '../../../src/protocol/limits.ts';

export async function rpc(client: SupabaseClient, name: string, args: Record<string, unknown>): Promise<unknown> {
  const { data, error } = await client.rpc(name, args);
  if (error !== null) throw new Error(`${name}: ${error.code} ${error.message} ${error.details}`);
  return data;
}

/**
 * Makes a page that only its owner may see. It has this app's schema version: the first edit of an older page would move
 * everyone to another topic.
 */
export async function newPage(owner: SupabaseClient): Promise<DocumentId> {
  const document = parseDocumentId(randomUUID());
  if (document === null) throw new Error('malformed id');
  await rpc(owner, 'create_workspace', { id: randomUUID(), name: 'Page', document, schema_version: SCHEMA_VERSION });
  return document;
}
