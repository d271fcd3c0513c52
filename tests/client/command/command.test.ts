// `weft watch` as people run it, against a whole backend, while someone writes with a real session.
import { readFile, writeFile } from 'node:fs/promises';
import { type Server, createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { temporaryFolder, removeFolder } from '../../support/server/temporary-folder.ts';
import { WatchedPage } from '../../support/server/watched-page.ts';
import { WeftCommand } from '../../support/server/weft-command.ts';

const BAD_SECRET = 'AAAAAAAAAAAAAAAAAAAAAA';

let page: WatchedPage;
let folder: string;

beforeAll(async () => {
  page = await WatchedPage.onNewBackend();
  folder = await temporaryFolder('watch');
});
afterEach(() => WeftCommand.stopAll());
afterAll(async () => {
  await page.close();
  await removeFolder(folder);
});

/** Another page on the same backend. */
const anotherPage = () => WatchedPage.on(page.backend);

describe('weft watch', () => {
  test('tells in words what changed, with time and number', async () => {
    const alice = await page.writer();
    await alice.setTitle('Shopping');
    const weft = new WeftCommand(['watch', page.link]);
    await weft.live();
    await alice.addParagraph('Buy milk');
    await weft.prints(/Added a paragraph: “Buy milk”/);
    await alice.type(' and bread');
    await weft.prints(/Changed a paragraph, “Buy milk and bread”: added “ and bread”/);
    await alice.setTitle('Groceries');
    await weft.prints(/The title is now “Groceries”/);
    await alice.removeFirst();
    await weft.prints(/Removed a paragraph/);
    for (const line of weft.stdout.trimEnd().split('\n'))
      expect(line).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d #\d+ {2}\S/);
    expect(weft.stderr).toBe('Live: “Shopping”\n');
    expect(await weft.end('SIGINT')).toBe(0);
  });

  test('--json has one object for each change, numbered without a gap, with the time of the server and no author', async () => {
    const alice = await page.writer('json');
    const weft = new WeftCommand(['watch', '--json', page.link]);
    await weft.live();
    const before = await page.head();
    for (const word of ['one', 'two', 'three']) await alice.addParagraph(word);
    await weft.prints(/three/);
    const objects = weft.objects();
    const rows = await page.rowsAfter(before);
    expect(objects.map(({ seq, since, at }) => [seq, since, at])).toEqual(
      rows.map(({ seq, at }) => [seq, seq - 1, new Date(at).toISOString()]),
    );
    expect(objects[0]).toEqual({
      version: 1,
      kind: 'change',
      seq: before + 1,
      since: before,
      at: expect.stringMatching(/^\d{4}-.*Z$/),
      author: null,
      title: 'Groceries',
      titleChange: null,
      blocks: [
        { kind: 'added', block: expect.any(String), type: 'paragraph', text: 'one', removed: '', inserted: 'one' },
      ],
      more: 0,
      isDamaged: false,
    });
    expect(await weft.end('SIGTERM')).toBe(0);
  });

  test('--once prints the page as it is in every format', async () => {
    const own = await anotherPage();
    const alice = await own.writer('once');
    await alice.setTitle('Plan');
    await alice.addParagraph('First *step*');
    const once = async (...options: readonly string[]) => {
      const weft = new WeftCommand(['watch', own.link, '--once', ...options]);
      expect([await weft.end(), weft.stderr.replace(/^Live.*\n/, '')]).toEqual([0, '']);
      return weft.stdout;
    };
    expect(await once()).toContain('Plan\n\n');
    expect(await once('--markdown')).toMatch(/^# Plan\n[^]*First \\\*step\\\*\n$/);
    expect(JSON.parse(await once('--json'))).toMatchObject({ kind: 'page', seq: await own.head(), title: 'Plan' });
    expect(await once('--diff')).toMatch(/^--- \/dev\/null\n\+\+\+ Plan\t#\d+ .*\n@@ -0,0 \+1,\d+ @@\n\+# Plan\n/);
  });

  test('--markdown --out replaces the file with each change, and --diff prints the difference', async () => {
    const own = await anotherPage();
    const alice = await own.writer('markdown');
    await alice.setTitle('Notes');
    const file = join(folder, 'notes.md');
    const writing = new WeftCommand(['watch', own.link, '--markdown', '--out', file]);
    const comparing = new WeftCommand(['watch', own.link, '--diff']);
    await Promise.all([writing.live(), comparing.live()]);
    await expect.poll(() => readFile(file, 'utf8')).toMatch(/^# Notes\n/);
    await alice.addParagraph('Hello');
    await expect.poll(() => readFile(file, 'utf8')).toMatch(/\n\nHello\n$/);
    await comparing.prints(/\n\+Hello\n/);
    expect(comparing.stdout).toMatch(/^--- Notes\t#\d+ .*\n\+\+\+ Notes\t#\d+ /);
    expect(writing.stdout).toBe('');
  });

  test('with --state nothing is printed twice and nothing is skipped, also after kill -9, and the secret is in no file', async () => {
    const own = await anotherPage();
    const alice = await own.writer('state');
    const file = join(folder, 'state.json');
    const args = ['watch', own.link, '--json', '--state', file];
    const first = new WeftCommand(args);
    await first.live();
    const head = await own.head();
    await alice.addParagraph('seen');
    await first.prints(/seen/);
    const seen = await own.head();
    await expect.poll(async () => (JSON.parse(await readFile(file, 'utf8')) as { seq: number }).seq).toBe(seen);
    await first.end('SIGKILL');
    await alice.addParagraph('missed');
    await alice.addParagraph('missed too');
    const second = new WeftCommand(args);
    await second.prints(/missed too/);
    expect(await second.end('SIGTERM')).toBe(0);
    const seqs = [...first.objects(), ...second.objects()].map(({ seq }) => seq);
    expect(seqs).toEqual(Array.from({ length: (await own.head()) - head }, (_, at) => head + 1 + at));
    const secret = own.link.split('#')[1] ?? '';
    for (const name of [file, `${file}.page`]) expect(await readFile(name, 'utf8')).not.toContain(secret);

    // Without the page, all rows are fetched again; only what is new is printed.
    await writeFile(`${file}.page`, 'damaged');
    await alice.addParagraph('later');
    const third = new WeftCommand([...args, '--once']);
    expect(await third.end()).toBe(0);
    expect(third.objects().map(({ seq }) => seq)).toEqual([await own.head()]);
    expect(third.stdout).toContain('later');
    const fourth = new WeftCommand([...args, '--once']);
    expect([await fourth.end(), fourth.stdout]).toEqual([0, '']);
  });

  test('a page that --once could not write counts as not printed', async () => {
    const own = await anotherPage();
    const file = join(folder, 'unwritten.json');
    const missing = join(folder, 'missing', 'page.md');
    const weft = new WeftCommand(['watch', own.link, '--once', '--markdown', '--state', file, '--out', missing]);
    expect(await weft.end()).toBe(1);
    await expect(readFile(file, 'utf8')).rejects.toThrow('ENOENT');
  });

  test('a kill between printing and remembering prints the change again: at least once', async () => {
    const own = await anotherPage();
    const alice = await own.writer('again');
    const file = join(folder, 'again.json');
    const args = ['watch', own.link, '--json', '--once', '--state', file];
    expect(await new WeftCommand(args).end()).toBe(0);
    const remembered = await readFile(file, 'utf8');
    await alice.addParagraph('twice');
    const first = new WeftCommand(args);
    await first.end();
    // Restore the file, as if the process had been killed before it wrote it.
    await writeFile(file, remembered);
    const second = new WeftCommand(args);
    await second.end();
    expect(first.stdout).toContain('twice');
    expect(second.stdout).toBe(first.stdout);
  });

  test('ends with a code that says why', async () => {
    const own = await anotherPage();
    const state = join(folder, 'revoked.json');
    const ends = async (args: readonly string[], input = '') => {
      const weft = new WeftCommand(args, { input });
      return { code: await weft.end(), stdout: weft.stdout, message: weft.stderr.split('\n')[0] };
    };
    const [origin] = own.link.split('/s#');
    expect(await ends(['watch'])).toEqual({
      code: 2,
      stdout: '',
      message: 'Name one link. In a shell, put it in quotes.',
    });
    expect(await ends(['watch', own.link, '--json', '--diff'])).toMatchObject({ code: 2, stdout: '' });
    expect(await ends(['watch', own.link, '--nonsense'])).toMatchObject({ code: 2, stdout: '' });
    expect(await ends(['watch', 'https://example.com/s'])).toMatchObject({
      code: 3,
      message: expect.stringContaining('doesn’t work') as string,
    });
    expect(await ends(['watch', `${origin}/s#${BAD_SECRET}`])).toMatchObject({ code: 3, stdout: '' });
    expect(await ends(['watch', '-'], `${own.link}x\n`)).toMatchObject({ code: 3, stdout: '' });
    expect(await ends(['watch', `http://127.0.0.1:1/s#${BAD_SECRET}`, '--timeout', '0.5'])).toMatchObject({
      code: 5,
      stdout: '',
    });
    expect(await ends(['watch', own.link, '--once', '--state', state])).toMatchObject({ code: 0 });
    expect(await ends(['watch', page.link, '--once', '--state', state])).toMatchObject({ code: 2, stdout: '' });

    const running = new WeftCommand(['watch', '-'], { input: `${own.link}\n` });
    await running.live();
    await own.revoke();
    expect(await running.end()).toBe(4);
    expect(await ends(['watch', own.link, '--state', state])).toMatchObject({ code: 4, stdout: '' });
    expect(await ends(['watch', own.link])).toMatchObject({ code: 3, stdout: '' });
  });

  test('ends when the page needs a newer version, and when a backup was restored', async () => {
    const own = await anotherPage();
    const state = join(folder, 'restored.json');
    const alice = await own.writer('newer');
    await alice.addParagraph('a');
    expect(await new WeftCommand(['watch', own.link, '--once', '--state', state]).end()).toBe(0);
    const stored = JSON.parse(await readFile(state, 'utf8')) as { seq: number };
    await writeFile(state, JSON.stringify({ ...stored, seq: 1_000 }));
    expect(await new WeftCommand(['watch', own.link, '--once', '--state', state]).end()).toBe(7);
    await own.backend.pg.query('update public.documents set schema_version = 1000 where id = $1', [own.id]);
    expect(await new WeftCommand(['watch', own.link]).end()).toBe(6);
  });

  test('ends quietly when its reader has gone', async () => {
    const alice = await page.writer('pipe');
    const weft = new WeftCommand(['watch', page.link]);
    await weft.live();
    weft.child.stdout?.destroy();
    await alice.addParagraph('no one reads this');
    expect(await weft.end()).toBe(0);
    expect(weft.stderr).not.toContain('EPIPE');
  });

  test('no control character of a hostile page reaches the terminal', async () => {
    const own = await anotherPage();
    const alice = await own.writer('hostile');
    const hostile = '\u001b]0;owned\u0007\u001b[2J\u009b31m\u202Egnp.exe\u2066\r';
    const kinds = [[], ['--json'], ['--markdown'], ['--diff']].map(
      (format) => new WeftCommand(['watch', own.link, ...format]),
    );
    await Promise.all(kinds.map((weft) => weft.live()));
    await alice.setTitle(hostile);
    await alice.addParagraph(`${hostile}the end`);
    for (const weft of kinds) {
      await weft.prints(/the end/);
      expect(weft.stdout + weft.stderr).not.toMatch(/[[\p{Cc}\u202a-\u202e\u2066-\u2069]--[\t\n]]/v);
    }
    const inserted = kinds[1]?.objects().flatMap(({ blocks }) => blocks as { inserted: string }[]);
    expect(inserted?.at(-1)?.inserted).toBe(`${hostile}the end`);
  });

  test('goes through the proxy of the environment', async () => {
    const proxied: string[] = [];
    const proxy = await connectProxy(proxied);
    const { port } = proxy.address() as AddressInfo;
    const alice = await page.writer('proxy');
    const weft = new WeftCommand(['watch', page.link], {
      env: { http_proxy: `http://127.0.0.1:${port}`, no_proxy: '', NO_PROXY: '' },
    });
    await weft.live();
    await alice.addParagraph('through the proxy');
    await weft.prints(/through the proxy/);
    await weft.end('SIGTERM');
    proxy.close();
    expect(proxied.length).toBeGreaterThan(1);
    expect(new Set(proxied)).toEqual(new Set([new URL(page.link).host]));
  });
});

/** Lets CONNECT through and notes the goals. */
async function connectProxy(proxied: string[]): Promise<Server> {
  const proxy = createServer();
  proxy.on('connect', (request, near) => {
    const target = request.url ?? '';
    proxied.push(target);
    const [host = '', port = ''] = target.split(':');
    const far = connect(Number(port), host, () => near.write('HTTP/1.1 200 Connection established\r\n\r\n'));
    near.pipe(far).pipe(near);
    for (const socket of [near, far]) socket.on('error', () => {});
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  return proxy;
}
