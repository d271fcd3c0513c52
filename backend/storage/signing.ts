// Signs URLs that open one object for a while without a key. They are signed with the secret of access tokens but
// cannot serve as one: they name no role, and they say what they are for.
import { SignJWT, errors, jwtVerify } from 'jose';
import * as v from 'valibot';
import type { ObjectKey } from './object-key.ts';
import { StorageError } from './storage-error.ts';

/** As in Supabase: an upload URL is valid for two hours. */
const UPLOAD_SECONDS = 7200;
const MAX_SECONDS = 100 * 365 * 86_400;

const downloadSchema = v.object({ url: v.string(), upsert: v.optional(v.undefined()) });
const uploadSchema = v.object({ url: v.string(), upsert: v.boolean(), owner: v.nullable(v.string()) });

export type UploadGrant = { readonly upsert: boolean; readonly owner: string | null };

export class Signer {
  readonly #secret: Uint8Array;

  constructor(jwtSecret: string) {
    this.#secret = new TextEncoder().encode(jwtSecret);
  }

  /**
   * A path below /storage/v1, not percent-encoded, since storage-js encodes it. Throws a `StorageError` when `seconds`
   * is not a positive duration.
   */
  async downloadPath(key: ObjectKey, seconds: number): Promise<string> {
    if (!Number.isInteger(seconds) || seconds < 1 || seconds > MAX_SECONDS) {
      throw new StorageError('InvalidRequest', 'body/expiresIn must be >= 1');
    }
    return `/object/sign/${urlOf(key)}?token=${await this.#sign({ url: urlOf(key) }, seconds)}`;
  }

  async uploadPath(key: ObjectKey, { upsert, owner }: UploadGrant): Promise<{ url: string; token: string }> {
    const token = await this.#sign({ url: urlOf(key), upsert, owner }, UPLOAD_SECONDS);
    return { url: `/object/upload/sign/${urlOf(key)}?token=${token}`, token };
  }

  async checkDownload(key: ObjectKey, token: string | null): Promise<void> {
    await this.#verify(key, token, downloadSchema);
  }

  async checkUpload(key: ObjectKey, token: string | null): Promise<UploadGrant> {
    return this.#verify(key, token, uploadSchema);
  }

  #sign(claims: Readonly<Record<string, unknown>>, seconds: number): Promise<string> {
    return new SignJWT({ ...claims })
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
      .setIssuedAt()
      .setExpirationTime(Math.floor(Date.now() / 1000) + seconds)
      .sign(this.#secret);
  }

  async #verify<const Schema extends v.GenericSchema<unknown, { readonly url: string }>>(
    key: ObjectKey,
    token: string | null,
    schema: Schema,
  ): Promise<v.InferOutput<Schema>> {
    if (token === null || token === '')
      throw new StorageError('InvalidRequest', "querystring must have required property 'token'");
    const claims = await this.#claimsOf(token);
    const grant = v.safeParse(schema, claims);
    if (!grant.success || grant.output.url !== urlOf(key)) {
      throw new StorageError('InvalidSignature', 'The url does not match the signature');
    }
    return grant.output;
  }

  async #claimsOf(token: string): Promise<unknown> {
    try {
      const { payload } = await jwtVerify(token, this.#secret, { algorithms: ['HS256'] });
      return payload;
    } catch (error) {
      if (error instanceof errors.JOSEError) throw new StorageError('InvalidJWT', error.message, { cause: error });
      throw error;
    }
  }
}

const urlOf = ({ bucket, name }: ObjectKey): string => `${bucket}/${name}`;
