// The Log and WatchLog ports as database functions (SPECIFICATION.md, "Exact shapes").
import type { SupabaseClient } from '@supabase/supabase-js';
import * as v from 'valibot';
import { toBase64 } from '../../lib/bytes.ts';
import { mapped, withoutValue } from '../../lib/result.ts';
import type { Append, Log, WatchLog } from '../ports.ts';
import {
  announcement,
  appendAnswer,
  openAnswer,
  publishAnswer,
  rowsAnswer,
  savedSnapshot,
  sessionInfos,
  snapshotClaim,
  startAnswer,
  watchAnswer,
} from '../protocol/log-answers.ts';
import { presentAnswer } from '../protocol/presenting.ts';
import { ROW_VERSION } from '../protocol/row.ts';
import { call, limitedCall } from './call.ts';
import { postKeepalive } from './post-keepalive.ts';
import { signInRenewal } from './renew-sign-in.ts';

/** A snapshot, or what is put back, may have 20 MiB. A snapshot's claim expires after this long anyway. */
const UPLOAD_TIMEOUT_MS = 30_000;

/**
 * Browsers allow 64 KiB of keepalive requests in flight. A character takes up to three bytes, and the last edits go first.
 */
const MAX_KEEPALIVE_CHARS = 12 * 1024;

const savedText = v.object({ textSeq: v.number() });

export function supabaseLog(client: SupabaseClient): Log {
  const rpc = caller(client);
  return {
    open: (document, since, at) =>
      rpc('open_document', { document, since, row_version: ROW_VERSION, ...knownAt(at) }, openAnswer),
    startSession: ({ document, session, clientId, schemaVersion }) =>
      rpc('start_session', { document, session, client_id: clientId, schema_version: schemaVersion }, startAnswer),
    append: (append, options) =>
      options?.keepalive === true
        ? call(postKeepalive(client, 'append_update', argumentsOf(append)), appendAnswer)
        : rpc('append_update', argumentsOf(append), appendAnswer),
    putBack: (back) =>
      rpc(
        'put_back',
        {
          document: back.document,
          known_seq: back.knownSeq,
          update: toBase64(back.update),
          schema_version: back.schemaVersion,
          live_peers: back.livePeers,
          row_version: ROW_VERSION,
          set_aside_at: back.setAsideAt,
          ...knownAt(back.knownAt),
        },
        appendAnswer,
        UPLOAD_TIMEOUT_MS,
      ),
    rowsSince: (document, seq, limit, watching, at) =>
      rpc(
        'rows_since',
        { document, seq, row_limit: limit, row_version: ROW_VERSION, ...watching, ...knownAt(at) },
        rowsAnswer,
      ),
    keepWatching: (document, seq, watching, at) =>
      rpc('keep_watching', { document, seq, row_version: ROW_VERSION, ...watching, ...knownAt(at) }, rowsAnswer),
    present: ({ document, session, place, starts, livePeers }) =>
      rpc('present', { document, session, place, starts, live_peers: livePeers }, presentAnswer),
    announce: (document, session, isWriting) =>
      rpc('announce_session', { document, session, is_writing: isWriting }, announcement),
    sessionInfo: (document, sessions) => rpc('session_info', { document, sessions }, sessionInfos),
    publishPending: (document) => rpc('publish_pending', { document }, publishAnswer),
    saveText: async (document, seq, title, bodyText, options) => {
      const mentions = options?.mentions ?? [];
      const args = {
        document,
        seq,
        title,
        body_text: bodyText,
        ...(mentions.length > 0 ? { mentions } : {}),
        ...knownAt(options?.at),
      };
      // The copy of a long page does not fit into a keepalive call. If this one is lost, the next editor who opens the
      // page saves it.
      const outlives = options?.keepalive === true && JSON.stringify(args).length <= MAX_KEEPALIVE_CHARS;
      return withoutValue(
        await (outlives
          ? call(postKeepalive(client, 'save_text', args), savedText)
          : rpc('save_text', args, savedText)),
      );
    },
    claimSnapshot: (document) => rpc('claim_snapshot', { document }, snapshotClaim),
    saveSnapshot: async (document, { seq, at, state, sha256 }) => {
      const args = { document, seq, state: toBase64(state), sha256, ...knownAt(at) };
      const answer = await rpc('save_snapshot', args, savedSnapshot, UPLOAD_TIMEOUT_MS);
      return mapped(answer, (saved) => saved.seq);
    },
  };
}

/** Needs no account: the anonymous key and the link's secret are enough. */
export function supabaseWatchLog(client: SupabaseClient): WatchLog {
  const rpc = caller(client);
  return {
    openWatch: (secret, since, watching, at) =>
      rpc('open_watch', { secret, since, row_version: ROW_VERSION, ...watching, ...knownAt(at) }, watchAnswer),
  };
}

function caller(client: SupabaseClient) {
  const renewSignIn = signInRenewal(client);
  return async <Schema extends v.GenericSchema>(
    name: string,
    args: Record<string, unknown>,
    schema: Schema,
    timeoutMs?: number,
  ) => {
    const answer = await limitedCall(client.rpc(name, args), schema, timeoutMs);
    if (!answer.ok && answer.error.code === 'WF003') renewSignIn();
    return answer;
  };
}

function argumentsOf(append: Append): Record<string, unknown> {
  return {
    document: append.document,
    session: append.session,
    n_from: append.nFrom,
    n_to: append.nTo,
    update: toBase64(append.update),
    dependencies: append.dependencies.map(({ session, nFrom, nTo, update }) => ({
      session,
      nFrom,
      nTo,
      update: toBase64(update),
    })),
    known_seq: append.knownSeq,
    schema_version: append.schemaVersion,
    live_peers: append.livePeers,
    row_version: ROW_VERSION,
    ...knownAt(append.knownAt),
  };
}

/** HI1. Left out where it is not known. */
const knownAt = (at: number | null | undefined) => (at === null || at === undefined ? {} : { known_at: at });
