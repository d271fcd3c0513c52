import { expect, test } from 'vitest';
import { TESTED_SERVER, forgetServers } from '../../scripts/checks/forget-servers.ts';

const shell = () => ({
  DATABASE_URL: 'postgres://elsewhere/weft',
  REALTIME_URL: 'http://elsewhere',
  SUPABASE_URL: 'https://elsewhere',
  SUPABASE_ANON_KEY: 'key',
  WEFT_PLAN: 'free',
});

test('tests do not see the servers of the shell', () => {
  const variables = shell();
  forgetServers(variables);
  expect(variables).toEqual({ SUPABASE_ANON_KEY: 'key', WEFT_PLAN: 'free' });
});

test('except for the one that their command tests', () => {
  const variables = { ...shell(), [TESTED_SERVER]: 'SUPABASE_URL' };
  forgetServers(variables);
  expect(variables).toEqual({
    SUPABASE_URL: 'https://elsewhere',
    SUPABASE_ANON_KEY: 'key',
    WEFT_PLAN: 'free',
    [TESTED_SERVER]: 'SUPABASE_URL',
  });
});

test('this run sees none', () => {
  expect([process.env['DATABASE_URL'], process.env['REALTIME_URL']]).toEqual([undefined, undefined]);
});
