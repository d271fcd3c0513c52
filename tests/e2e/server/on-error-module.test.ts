// The example of docs/errors.md, as someone who runs `npm start` follows it, with a collector on another origin.
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { ROOT } from '../../../scripts/root.mjs';
import { launchBrowser } from '../../support/browser/browser.ts';
import { Person } from '../../support/browser/person.ts';
import { removeFolder, temporaryFolder } from '../../support/server/temporary-folder.ts';
import { WeftServer } from '../../support/server/weft-server.ts';

const COLLECTOR = 'https://collector.example:4318';

/** Answers as an OpenTelemetry collector whose receiver allows all origins. */
async function startCollector() {
  const received: { path: string; body: string }[] = [];
  const server = createServer((incoming, outgoing) => {
    outgoing.setHeader('access-control-allow-origin', '*');
    outgoing.setHeader('access-control-allow-headers', 'content-type');
    void text(incoming).then((body) => {
      if (incoming.method === 'POST') received.push({ path: incoming.url ?? '', body });
      outgoing.end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return { received, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

/** The example below `heading`, sending to `origin`. */
async function example(heading: string, origin: string): Promise<string> {
  const docs = await readFile(join(ROOT, 'docs/errors.md'), 'utf8');
  const [, code = ''] = /```js\n(.*?)```/s.exec(docs.slice(docs.indexOf(heading))) ?? [];
  expect(code).toContain(COLLECTOR);
  return code.replace(COLLECTOR, origin);
}

async function start(...more: string[]): Promise<Person> {
  const server = await WeftServer.start({ more });
  const browser = await launchBrowser();
  onTestFinished(async () => {
    await browser.close();
    await server.stop();
  });
  const ada = await Person.at(await browser.newContext());
  await ada.signUp(server.url, 'Ada');
  await ada.createWorkspace('Quay');
  await ada.newPage();
  return ada;
}

test('an error reaches the OpenTelemetry collector that was named at the start, without words of the page', async () => {
  const { received, origin } = await startCollector();
  const folder = await temporaryFolder('on-error');
  onTestFinished(() => removeFolder(folder));
  const file = join(folder, 'on-error.js');
  await writeFile(file, await example('### OpenTelemetry', origin));
  const ada = await start('--on-error', file, '--connect-to', origin);
  await ada.putCaretAtEnd();
  await ada.insert('written');
  await ada.waitForReceipt('saved');
  await ada.page.evaluate(() => reportError(new TypeError('about “written”')));
  await expect.poll(() => received.length).toBe(1);
  const [{ path, body } = { path: '', body: '' }] = received;
  expect(path).toBe('/v1/logs');
  expect(body).toMatch(/"body":\{"stringValue":"WF-app-[0-9a-f]{4}"\}/);
  expect(body).toContain('rpc/append_update');
  for (const content of ['written', 'Quay', 'Ada', ada.documentId]) expect(body).not.toContain(content);
});
