import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PASSWORD } from '../../../support/server/backend.ts';
import { type AuthFixture, startAuthFixture } from '../auth-fixture.ts';

let fixture: AuthFixture;
beforeAll(async () => {
  fixture = await startAuthFixture();
});
afterAll(() => fixture.close());

describe('a guest', () => {
  test('cannot set a password, and stays a guest', async () => {
    const { client } = await fixture.backend.guest();
    expect((await client.auth.updateUser({ password: PASSWORD })).error).toMatchObject({
      status: 422,
      code: 'validation_failed',
    });
    expect((await client.auth.getUser()).data.user).toMatchObject({ is_anonymous: true, email: '' });
  });

  test('cannot add an email address on this backend', async () => {
    const { client } = await fixture.backend.guest();
    const { error } = await client.auth.updateUser({ email: 'guest@example.com', password: PASSWORD });
    expect(error).toMatchObject({
      status: 501,
      message: 'The embedded backend does not support changing an email address.',
    });
  });
});
