import { expect, test, vi } from 'vitest';
import { type WeftError, weftError } from 'weft-sync/protocol/errors.ts';
import { type Result, err, ok } from '../../../src/lib/result.ts';
import { personPictures } from '../../../src/state/people/person-pictures.ts';

const settled = () => new Promise((resolve) => setTimeout(resolve));

function pictures(answers: Result<Blob, WeftError>[]) {
  const fetched: string[] = [];
  const revoked: string[] = [];
  const state = personPictures({
    fetch: async (path) => {
      fetched.push(path);
      return answers.shift() ?? ok(new Blob());
    },
    objectUrls: { create: async () => `blob:${fetched.length}`, revoke: (url) => void revoked.push(url) },
  });
  return { state, fetched, revoked };
}

test('a picture is fetched once, however many tags show it, and its address ends with the sign-out', async () => {
  const { state, fetched, revoked } = pictures([]);
  const changed = vi.fn<() => void>();
  state.watch('a', changed);
  state.watch('a', changed)();
  expect(state.urlOf('a')).toBeNull();
  await settled();
  expect(changed).toHaveBeenCalledOnce();
  expect(state.urlOf('a')).toBe('blob:1');
  state.watch('a', changed);
  expect(fetched).toEqual(['a']);
  state.close();
  expect(revoked).toEqual(['blob:1']);
});

test('an unreachable server is asked again when the network is back, a picture that no one may see is not', async () => {
  const { state, fetched } = pictures([err(weftError('WF011')), err(weftError('WF001')), ok(new Blob())]);
  state.watch('late', () => undefined);
  state.watch('gone', () => undefined);
  await settled();
  state.retry();
  await settled();
  expect(fetched).toEqual(['late', 'gone', 'late']);
  expect([state.urlOf('late'), state.urlOf('gone')]).toEqual(['blob:3', null]);
});
