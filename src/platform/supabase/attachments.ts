// Pictures and files in Supabase Storage. Every download uses the person's token or the link's secret, never a URL
// that would outlive the right to see the file.
import type { SupabaseClient } from '@supabase/supabase-js';
import * as v from 'valibot';
import { parseAnswer } from 'weft-sync/protocol/answers.ts';
import { type WeftError, weftError } from 'weft-sync/protocol/errors.ts';
import type { LinkSecret, DocumentId } from 'weft-sync/protocol/ids.ts';
import { call } from 'weft-sync/supabase/call.ts';
import { postKeepalive } from 'weft-sync/supabase/post-keepalive.ts';
import { toWeftError } from 'weft-sync/supabase/to-weft-error.ts';
import { type Result, err, ok, withoutValue } from '../../lib/result.ts';
import type { Answer } from '../../ports/answer.ts';
import type { FileSource, FileStorage } from '../../ports/files.ts';
import { attachmentCopy, purgeableNames } from '../../protocol/answers.ts';
import {
  ATTACHMENTS,
  LINK_HEADER,
  MAX_ATTACHMENT_BYTES,
  OTHER_TYPE,
  type AttachmentVersion,
  objectPath,
} from '../../protocol/attachment.ts';
import type { AttachmentId } from '../../protocol/ids.ts';
import { accessToken } from './access-token.ts';

/** 25 MiB may take long on a slow line, but a connection without any progress for this long is lost. */
const UPLOAD_SILENCE_MS = 60_000;
const DOWNLOAD_TIMEOUT_MS = 120_000;
/** The server names at most 300 objects at once. What is left waits for the next day. */
const MAX_PURGES = 10;
/** Neither the browser nor a proxy may keep a copy: rights end at once, and this device has its own cache. */
const CACHING = 'private, no-store';
const VERSIONS = ['original', 'view', 'small'] as const;

export type StoredAttachments = FileStorage & {
  /** The files of one page, for a person who may see it. */
  readonly ofDocument: (document: DocumentId) => FileSource;
  /**
   * `at`: the time of row `seq`. With `keepalive` the call outlives the page. Its limit of 64 KiB holds more ids than a page has
   * files.
   */
  readonly setDocumentAttachments: (
    document: DocumentId,
    seq: number,
    ids: readonly AttachmentId[],
    options?: { readonly keepalive?: boolean; readonly at?: number | null },
  ) => Answer<void>;
};

export function supabaseAttachments(
  client: SupabaseClient,
  project: { readonly url: string; readonly anonKey: string },
): StoredAttachments {
  const bucket = () => client.storage.from(ATTACHMENTS);
  return {
    async create({ document, id }, { name, mime, bytes, isOfComment = false }) {
      const register = isOfComment ? 'create_comment_picture' : 'create_attachment';
      return withoutValue(await call(client.rpc(register, { id, document, name, mime, bytes }), v.unknown()));
    },
    async upload({ document, id }, { version, blob }, progress, signal) {
      const access = await accessToken(client);
      if (!access.ok) return access;
      // With the key alone Storage answers 403, which looks like a refusal for good.
      if (access.value === null) return err(weftError('WF003'));
      const url = `${project.url}/storage/v1/object/${ATTACHMENTS}/${objectPath(document, id, version)}`;
      const headers = {
        apikey: project.anonKey,
        authorization: `Bearer ${access.value}`,
        'cache-control': CACHING,
        'content-type': blob.type,
        'x-upsert': 'false',
      };
      return upload(url, headers, blob, progress, signal);
    },
    async copy(from, to) {
      const args = { attachment: from.id, document: to.document, id: to.id };
      const copied = await call(client.rpc('copy_attachment', args), attachmentCopy);
      if (!copied.ok) return copied;
      for (const version of VERSIONS) {
        const suffix = objectPath(from.document, from.id, version).slice(objectPath(from.document, from.id).length);
        const { error } = await bucket().copy(`${copied.value.from}${suffix}`, objectPath(to.document, to.id, version));
        const refused = error === null ? null : storageError(error);
        // Smaller versions are optional, and a version that was copied before stays.
        if (refused !== null && refused !== 'exists' && (version === 'original' || refused.code !== 'WF001')) {
          return err(refused);
        }
      }
      return ok(undefined);
    },
    async setDocumentAttachments(document, seq, ids, options) {
      // A server that was restored from an earlier state may have another row `seq`: the time tells them apart (HI1).
      const args = { document, seq, ids, ...(options?.at == null ? {} : { known_at: options.at }) };
      const request =
        options?.keepalive === true
          ? postKeepalive(client, 'set_document_attachments', args)
          : client.rpc('set_document_attachments', args);
      return withoutValue(await call(request, v.unknown()));
    },
    async purge() {
      // Each call also removes the records of the files that were deleted before it.
      const nextDue = () => call(client.rpc('purge_attachments'), purgeableNames);
      let due = await nextDue();
      for (let times = 0; times < MAX_PURGES && due.ok && due.value.names.length > 0; times++) {
        const { error } = await bucket().remove([...due.value.names]);
        if (error !== null) return err(weftError('WF011', error.message));
        due = await nextDue();
      }
      return withoutValue(due);
    },
    ofDocument: (document) => ({
      async download(id, version) {
        const access = await accessToken(client);
        if (!access.ok) return access;
        const bearer = access.value ?? project.anonKey;
        return download(project, objectPath(document, id, version), { authorization: `Bearer ${bearer}` });
      },
    }),
  };
}

/** The files of the page behind a link, without an account. `watchedDocument` returns null once the link has ended. */
export function supabaseLinkFiles(
  project: { readonly url: string; readonly anonKey: string },
  secret: LinkSecret,
  watchedDocument: () => Promise<DocumentId | null>,
): FileSource {
  return {
    async download(id: AttachmentId, version: AttachmentVersion): Answer<Blob> {
      const document = await watchedDocument();
      if (document === null) return err(weftError('WF009', 'this link is not being watched'));
      const headers = { authorization: `Bearer ${project.anonKey}`, [LINK_HEADER]: secret };
      return download(project, objectPath(document, id, version), headers);
    },
  };
}

async function download(
  project: { readonly url: string; readonly anonKey: string },
  path: string,
  headers: Readonly<Record<string, string>>,
): Answer<Blob> {
  try {
    const response = await fetch(`${project.url}/storage/v1/object/authenticated/${ATTACHMENTS}/${path}`, {
      headers: { apikey: project.anonKey, ...headers },
      cache: 'no-store',
      signal: AbortSignal.timeout(DOWNLOAD_TIMEOUT_MS),
    });
    if (response.ok) return ok(await readBlob(response));
    const refused = refusalOf(response.status, await response.text());
    return err(refused === 'exists' ? weftError('unknown', 'a download was refused because the file exists') : refused);
  } catch (error) {
    return err(weftError('WF011', String(error)));
  }
}

/** Rejects beyond the largest size of an upload: a compressed answer may unfold to gigabytes. */
async function readBlob(response: Response): Promise<Blob> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  const reader = response.body?.getReader();
  for (let read = await reader?.read(); read?.done === false; read = await reader?.read()) {
    bytes += read.value.length;
    if (bytes > MAX_ATTACHMENT_BYTES) {
      await reader?.cancel();
      throw new RangeError(`a file of more than ${MAX_ATTACHMENT_BYTES} bytes`);
    }
    parts.push(read.value);
  }
  return new Blob(parts, { type: response.headers.get('content-type') ?? OTHER_TYPE });
}

/** Uses XMLHttpRequest, because `fetch`, and therefore supabase-js, reports no upload progress. */
function upload(
  url: string,
  headers: Readonly<Record<string, string>>,
  body: Blob,
  progress: (fraction: number) => void,
  signal: AbortSignal,
): Answer<void> {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    let silence: ReturnType<typeof setTimeout> | undefined;
    const resetSilence = () => {
      clearTimeout(silence);
      silence = setTimeout(() => request.abort(), UPLOAD_SILENCE_MS);
    };
    const abort = () => request.abort();
    const finish = (answer: Result<void, WeftError>) => {
      clearTimeout(silence);
      signal.removeEventListener('abort', abort);
      resolve(answer);
    };
    request.upload.onprogress = ({ loaded, total }) => {
      resetSilence();
      progress(total === 0 ? 0 : loaded / total);
    };
    request.onload = () => {
      if (request.status >= 200 && request.status < 300) return finish(ok(undefined));
      const refused = refusalOf(request.status, request.responseText);
      finish(refused === 'exists' ? ok(undefined) : err(refused));
    };
    request.onerror = () => finish(err(weftError('WF011', 'the upload was cut off')));
    request.onabort = () => finish(err(weftError('WF011', 'the upload was stopped')));
    if (signal.aborted) return finish(err(weftError('WF011', 'the upload was stopped')));
    signal.addEventListener('abort', abort);
    request.open('POST', url);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    resetSilence();
    request.send(body);
  });
}

const refusal = v.object({
  statusCode: v.optional(v.union([v.string(), v.number()])),
  error: v.optional(v.string(), ''),
  code: v.optional(v.string(), ''),
  message: v.optional(v.string(), ''),
});

/**
 * Storage answers with status 400 and puts the real status in the body. `exists` means that an object of this name
 * exists already.
 */
function refusalOf(status: number, body: string): WeftError | 'exists' {
  let json: unknown;
  try {
    json = JSON.parse(body);
  } catch {
    json = {};
  }
  const parsed = parseAnswer(refusal, json);
  const { statusCode = status, error = '', code = '', message = body.slice(0, 200) } = parsed.ok ? parsed.value : {};
  return storageRefusal(Number(statusCode), `${code} ${error}`, message);
}

/** What an error of supabase-js says; one without a status never reached the server. */
export function storageError(error: {
  readonly message: string;
  readonly status?: unknown;
  readonly statusCode?: unknown;
}) {
  const status = Number(error.statusCode ?? error.status ?? 0);
  return storageRefusal(Number.isNaN(status) ? 400 : status, '', error.message);
}

function storageRefusal(status: number, name: string, message: string): WeftError | 'exists' {
  if (status === 409 || /duplicate|already ?exists/i.test(`${name} ${message}`)) return 'exists';
  const detail = `${status} ${name} ${message}`;
  // Storage also answers 403 to an expired token, or 400 with "jwt expired".
  if (status === 401 || /\bjwt\b|\bexp\b/i.test(message)) return weftError('WF003', detail);
  if (status === 403 || status === 404 || /row-level security/i.test(message)) return weftError('WF001', detail);
  return toWeftError({ message: detail }, status);
}
