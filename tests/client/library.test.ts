// `import { watch } from 'weft-client'`, the examples that use it, and the package that others install, against a whole backend.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, readdir, rename, symlink, writeFile } from 'node:fs/promises';
import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type PageChange, WatchError, watch } from 'weft-client';
import { ROOT } from '../../scripts/root.mjs';
import { removeFolder, temporaryFolder } from '../support/server/temporary-folder.ts';
import { WatchedPage, type Writer } from '../support/server/watched-page.ts';

let page: WatchedPage;
let alice: Writer;
let folder: string;

beforeAll(async () => {
  page = await WatchedPage.onNewBackend();
  alice = await page.writer();
  folder = await temporaryFolder('watch-library');
});
afterAll(async () => {
  await page.close();
  await removeFolder(folder);
});

async function take(changes: AsyncIterable<PageChange>, count: number): Promise<readonly PageChange[]> {
  const taken: PageChange[] = [];
  for await (const change of changes) {
    taken.push(change);
    if (taken.length === count) break;
  }
  return taken;
}

const insertedIn = (changes: readonly PageChange[]) =>
  changes.flatMap(({ blocks }) => blocks.map(({ inserted }) => inserted));

const codeOf = async (ending: Promise<unknown>): Promise<unknown> => {
  const error = await ending.catch((thrown: unknown) => thrown);
  return error instanceof WatchError ? error.code : error;
};

describe('the library', () => {
  test('iterates over the changes from now on, in order', async () => {
    const watcher = watch(page.link);
    await watcher.ready();
    const head = await page.head();
    const taking = take(watcher, 3);
    for (const word of ['one', 'two', 'three']) await alice.addParagraph(word);
    const changes = await taking;
    expect(insertedIn(changes)).toEqual(['one', 'two', 'three']);
    expect(changes.map(({ seq }) => seq)).toEqual([head + 1, head + 2, head + 3]);
  });

  test('goes on from a position or from a number, without a gap and without a repetition', async () => {
    const first = watch(page.link);
    await first.ready();
    await alice.addParagraph('taken');
    expect(insertedIn(await take(first, 1))).toEqual(['taken']);
    const { seq } = (await page.rowsAfter(0)).at(-1) ?? { seq: 0 };
    await alice.addParagraph('four');
    const position = { seq, page: null };
    const second = watch(page.link, { since: seq });
    expect(insertedIn(await take(second, 1))).toEqual(['four']);
    expect(insertedIn(await take(watch(page.link, { since: position }), 1))).toEqual(['four']);

    const third = watch(page.link);
    await third.ready();
    const stored = third.position();
    third.close();
    expect(stored).toEqual({ seq: seq + 1, at: expect.any(Number) as number, page: expect.any(String) as string });
    await alice.addParagraph('five');
    if (stored === null) throw new Error('no position');
    expect(insertedIn(await take(watch(page.link, { since: stored }), 1))).toEqual(['five']);
  });

  test('from the first change on, every one of a page is reported', async () => {
    const rows = await page.rowsAfter(0);
    const changes = await take(watch(page.link, { since: 0 }), rows.length);
    expect(changes.map(({ seq, at }) => [seq, at])).toEqual(
      rows.map(({ seq, at }) => [seq, new Date(at).toISOString()]),
    );
  });

  test('a reader that is slow loses nothing, and what waits for it is bounded', async () => {
    const watcher = watch(page.link);
    await watcher.ready();
    const before = await page.head();
    for (let i = 0; i < 300; i++) alice.session.doc.getMap('slow').set('n', i);
    const words = Array.from({ length: 30 }, (_, at) => `word ${at}`);
    for (const word of words) await alice.addParagraph(word);
    const changes = await take(watcher, (await page.head()) - before);
    expect(insertedIn(changes)).toEqual(words);
  });

  test('an abort ends the iteration without an error', async () => {
    const stop = new AbortController();
    const ending = take(watch(page.link, { signal: stop.signal }), 1_000);
    stop.abort();
    expect(await ending).toEqual([]);
    expect(await take(watch(page.link, { signal: AbortSignal.abort() }), 1)).toEqual([]);
  });

  test('errors have a code', async () => {
    const [origin] = page.link.split('/s#');
    expect(() => watch('https://example.com')).toThrow(WatchError);
    expect(await codeOf(take(watch(`${origin}/s#AAAAAAAAAAAAAAAAAAAAAA`), 1))).toBe('badLink');
    for (const role of ['commenter', 'editor'] as const) {
      const link = await page.linkTo(role);
      const ready = watch(link).ready();
      expect(await codeOf(ready)).toBe('badLink');
      await expect(ready).rejects.toThrow('This link is not for watching');
      expect(await codeOf(take(watch(link, { since: 1 }), 1))).toBe('badLink');
    }
    const away = `http://127.0.0.1:1/s#AAAAAAAAAAAAAAAAAAAAAA`;
    expect(await codeOf(watch(away, { timeoutMs: 300 }).ready())).toBe('unreachable');
    expect(await codeOf(take(watch(page.link, { since: 100_000 }), 1))).toBe('otherHistory');
    const own = await WatchedPage.on(page.backend);
    const watcher = watch(own.link);
    await watcher.ready();
    const ending = codeOf(take(watcher, 1));
    await own.revoke();
    expect(await ending).toBe('revoked');
  });
});

describe('the examples', () => {
  test('keep-markdown keeps a file up to date', async () => {
    const file = join(folder, 'page.md');
    const child = example('keep-markdown.ts', page.link, file);
    await expect.poll(() => readFile(file, 'utf8').catch(() => ''), { timeout: 30_000 }).not.toBe('');
    await alice.addParagraph('into the file');
    await expect.poll(() => readFile(file, 'utf8'), { timeout: 30_000 }).toMatch(/\n\ninto the file\n$/);
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  test('post-changes posts every change at least once, through failures of the webhook and a restart', async () => {
    const received: number[] = [];
    let refusals = 2;
    const webhook = await listen(async (body) => {
      if (refusals-- > 0) return 503;
      received.push((JSON.parse(body) as PageChange).seq);
      return 204;
    });
    const url = `http://127.0.0.1:${(webhook.address() as AddressInfo).port}/`;
    const state = join(folder, 'posted.json');
    const first = example('post-changes.ts', page.link, url, state);
    await expect.poll(() => readFile(state, 'utf8').catch(() => ''), { timeout: 30_000 }).not.toBe('');
    const head = await page.head();
    await alice.addParagraph('posted');
    await expect.poll(() => received, { timeout: 30_000 }).toEqual([head + 1]);
    first.kill('SIGKILL');
    await once(first, 'exit');
    await alice.addParagraph('while it was away');
    const second = example('post-changes.ts', page.link, url, state);
    await expect.poll(() => received.includes(head + 2), { timeout: 30_000 }).toBe(true);
    second.kill('SIGTERM');
    expect(await once(second, 'exit')).toEqual([0, null]);
    expect([...new Set(received)]).toEqual([head + 1, head + 2]);
  });
});

/** A folder with a package as npm unpacks it, its declared dependencies, and the example of its README. */
async function installed(name: string): Promise<string> {
  const into = join(folder, name);
  const tarballs = await readdir(folder).then((files) => files.filter((file) => file.endsWith('.tgz')));
  if (tarballs.length === 0) await run(process.execPath, [join(ROOT, 'scripts', 'pack.ts'), folder]);
  await mkdir(join(into, 'node_modules', '@types'), { recursive: true });
  await run('tar', ['-xzf', join(folder, `${name}-0.1.0.tgz`), '-C', into]);
  const own = join(into, 'node_modules', name);
  await rename(join(into, 'package'), own);
  const { dependencies } = JSON.parse(await readFile(join(own, 'package.json'), 'utf8')) as { dependencies: object };
  for (const needed of [...Object.keys(dependencies), '@types/node']) {
    const link = join(into, 'node_modules', needed);
    await mkdir(dirname(link), { recursive: true });
    await symlink(join(ROOT, 'node_modules', needed), link, 'junction');
  }
  await writeFile(join(into, 'package.json'), '{ "type": "module" }');
  const readme = await readFile(join(own, 'README.md'), 'utf8');
  await writeFile(join(into, 'example.ts'), /```ts\n([^]*?)```/.exec(readme)?.[1] ?? '');
  return into;
}

/** Compiles the example for Node and for bundlers. */
async function expectTypes(into: string): Promise<void> {
  for (const [module, moduleResolution] of [
    ['nodenext', 'nodenext'],
    ['esnext', 'bundler'],
  ]) {
    const compilerOptions = { module, moduleResolution, target: 'es2024', strict: true, noEmit: true, types: ['node'] };
    await writeFile(join(into, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['example.ts'] }));
    const compiler = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
    const printed = await run(process.execPath, [compiler], into).catch(
      (failed: { readonly stdout: string }) => failed.stdout,
    );
    // The declarations of auth-js 2.119.0 contradict the DOM's of TypeScript 7.
    const errors = printed
      .split('\n')
      .filter((line) => / error TS/.test(line) && !line.includes('/@supabase/auth-js/'));
    expect(errors).toEqual([]);
  }
}

const run = async (program: string, args: readonly string[], cwd = ROOT): Promise<string> =>
  (await promisify(execFile)(program, args, { cwd })).stdout;

describe('the packages that others install', () => {
  test('weft-client runs the example of its README and the command, and has types in Node and for bundlers', async () => {
    const into = await installed('weft-client');
    const child = spawn(process.execPath, ['example.ts'], {
      cwd: into,
      env: { ...process.env, WEFT_LINK: page.link },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    let printed = '';
    child.stdout.setEncoding('utf8').on('data', (part: string) => (printed += part));
    await expect.poll(() => printed, { timeout: 30_000 }).toContain('\n');
    await alice.addParagraph('from outside');
    await expect.poll(() => printed, { timeout: 30_000 }).toMatch(/^\d+ .*from outside\n[^]*\n\nfrom outside\n/m);

    const command = join(into, 'node_modules', 'weft-client', 'dist', 'weft.js');
    const markdown = await run(process.execPath, [command, 'watch', page.link, '--once', '--markdown'], into);
    expect(markdown).toContain('\n\nfrom outside\n');

    await expectTypes(into);
  });

  test('weft-document runs the example of its README, and has types in Node and for bundlers', async () => {
    const into = await installed('weft-document');
    expect(await run(process.execPath, ['example.ts'], into)).toBe(
      [
        '# Tide check',
        '',
        '- [ ] measure at six',
        '',
        '| time | level |',
        '| - | - |',
        '| 6:00 | 2.1 m |',
        '',
        'Measured *again* at seven.',
        '',
        '4',
        '',
      ].join('\n'),
    );
    await expectTypes(into);
  });

  test('weft-sync runs the example of its README, and has types in Node and for bundlers', async () => {
    const into = await installed('weft-sync');
    expect(await run(process.execPath, ['example.ts'], into)).toBe('sending\nThe tide is out. (saved)\n');
    await expectTypes(into);
    const migrations = await readdir(join(into, 'node_modules', 'weft-sync', 'supabase', 'migrations'));
    expect(migrations).toEqual(await readdir(join(ROOT, 'supabase', 'migrations')));
  });
});

function example(name: string, ...args: readonly string[]) {
  const child = spawn(process.execPath, [join(ROOT, 'examples', name), ...args], { stdio: 'inherit' });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

async function listen(answer: (body: string) => Promise<number>): Promise<Server> {
  const server = createServer((request, response) => {
    void text(request)
      .then(answer)
      .then((status) => response.writeHead(status).end());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return server;
}
