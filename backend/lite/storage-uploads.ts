// Gap: storage-js sends a Blob or File as a form whose file field has no name; @supabase/lite 0.10.0 looks for one called
// "file", and on signed uploads stores the form itself. Both are handed the file alone, as if it had been sent raw.
import { type Repair, pathOf } from './fetch.ts';

const UPLOAD = /^\/storage\/v1\/object\/(?!list\/|sign\/|copy$|move$)/;

export const storageUploads: Repair = (next) => async (request, peerAddress) => {
  const isForm = request.headers.get('content-type')?.startsWith('multipart/form-data') ?? false;
  if (!isForm || !UPLOAD.test(pathOf(request))) return next(request, peerAddress);
  const form = await request
    .clone()
    .formData()
    .catch(() => null);
  const file = form === null ? undefined : [...form.values()].find((value) => value instanceof Blob);
  if (file === undefined) return next(request, peerAddress);

  const headers = new Headers(request.headers);
  headers.set('content-type', file.type === '' ? 'application/octet-stream' : file.type);
  headers.set('content-length', String(file.size));
  const seconds = form?.get('cacheControl');
  if (typeof seconds === 'string' && /^\d+$/.test(seconds)) headers.set('cache-control', `max-age=${seconds}`);
  const raw = new Request(request.url, { method: request.method, headers, body: await file.arrayBuffer() });
  return next(raw, peerAddress);
};
