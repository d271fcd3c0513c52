// Runs database functions whose answer says nothing: they change something, or fail.
import type { SupabaseClient } from '@supabase/supabase-js';
import { callWithoutAnswer } from 'weft-sync/supabase/call.ts';

export const functionRunner = (client: SupabaseClient) => (name: string, args: Record<string, unknown>) =>
  callWithoutAnswer(client.rpc(name, args));
