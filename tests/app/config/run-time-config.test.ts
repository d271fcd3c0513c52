import { describe, expect, test } from 'vitest';
import { loadConfig, parseConfig } from '../../../src/app/config/run-time-config.ts';

const HERE = 'https://weft.example';

describe('/config.json', () => {
  test('an empty url means the origin of the page', () => {
    expect(parseConfig('{"url":"","anonKey":"k","embedded":true,"guests":true}', HERE)).toEqual({
      ok: true,
      value: {
        url: HERE,
        anonKey: 'k',
        isEmbedded: true,
        allowsGuests: true,
        deviceBytes: 200_000_000,
        liveBudget: 4_000,
        onError: null,
      },
    });
  });

  test('a hosted project needs its url and key only', () => {
    expect(parseConfig('{"url":"https://x.supabase.co/","anonKey":"k"}', HERE)).toEqual({
      ok: true,
      value: {
        url: 'https://x.supabase.co',
        anonKey: 'k',
        isEmbedded: false,
        allowsGuests: false,
        deviceBytes: 200_000_000,
        liveBudget: 100,
        onError: null,
      },
    });
  });

  test('deviceMegabytes limits what a device stores, and may be 0', () => {
    const megabytes = (text: string) => {
      const config = parseConfig(`{"url":"","anonKey":"k","deviceMegabytes":${text}}`, HERE);
      return config.ok ? config.value.deviceBytes : config.error.why;
    };
    expect(megabytes('50')).toBe(50_000_000);
    expect(megabytes('0')).toBe(0);
    expect(megabytes('-1')).toMatch(/“deviceMegabytes” is how much/);
  });

  test('onError is a module of this site', () => {
    const onError = (address: string) => {
      const config = parseConfig(JSON.stringify({ url: '', anonKey: 'k', onError: address }), HERE);
      return config.ok ? config.value.onError : config.error.why;
    };
    expect(onError('/on-error.js')).toBe('/on-error.js');
    for (const address of [
      'https://other.example/x.js',
      '//other.example/x.js',
      '/\\\\other.example',
      'data:,',
      'x.js',
      '',
    ]) {
      expect(onError(address)).toMatch(/“onError” is a path on this site/);
    }
  });

  test.each([
    ['{"anonKey":"k"}', 'wrong', /“url” is the address/],
    ['{"url":""}', 'wrong', /“anonKey” is the project’s public key/],
    ['{"url":"","anonKey":""}', 'wrong', /“anonKey” is the project’s public key/],
    ['{"url":"x.supabase.co","anonKey":"k"}', 'wrong', /not an address: x\.supabase\.co/],
    ['{"url":"javascript:alert(1)","anonKey":"k"}', 'wrong', /not an address/],
    ['{"url":"","anonKey":"k","guests":"yes"}', 'wrong', /“guests” is true or false/],
    ['{"url":', 'wrong', /isn’t JSON/],
    ['[]', 'wrong', /“url” is the address/],
    ['7', 'wrong', /isn’t a JSON object/],
    ['<!doctype html><title>Weft</title>', 'missing', /page/],
  ])('%s is refused with a reason that helps', (text, kind, why) => {
    expect(parseConfig(text, HERE)).toEqual({ ok: false, error: { kind, why: expect.stringMatching(why) } });
  });

  test.each([
    [() => Promise.resolve(new Response('', { status: 404 })), 'missing'],
    [() => Promise.resolve(new Response('', { status: 503 })), 'unreachable'],
    [() => Promise.reject(new TypeError('Failed to fetch')), 'unreachable'],
  ] as const)('a host that fails to answer is reported (case %#)', async (load, kind) => {
    expect(await loadConfig(load(), HERE)).toMatchObject({ ok: false, error: { kind } });
  });
});
