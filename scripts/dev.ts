// `npm run dev`: the backend and Vite with hot reload in one terminal and on one address, as in a build.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import * as v from 'valibot';
import { createServer } from 'vite';
import { ROOT, printToStderr } from './root.mjs';

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '4400' },
    host: { type: 'string', default: '127.0.0.1' },
    data: { type: 'string', default: 'data' },
    memory: { type: 'boolean', default: false },
  },
});

const storage = values.memory ? ['--memory'] : ['--data', values.data];
const backend = spawn(
  process.execPath,
  [join(ROOT, 'backend', 'cli.ts'), 'backend', '--port', '0', '--json', ...storage],
  { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'] },
);
// If the backend ends, it has printed the reason to standard error.
const ended = once(backend, 'exit').then(() => process.exit(1));

const [line] = await Promise.race([once(createInterface({ input: backend.stdout }), 'line'), ended]);
const { url } = v.parse(v.object({ url: v.string() }), JSON.parse(String(line)));

const vite = await createServer({
  root: ROOT,
  configFile: join(ROOT, 'vite.config.ts'),
  server: {
    host: values.host,
    port: Number(values.port),
    strictPort: true,
    proxy: {
      // `changeOrigin`: the backend accepts requests only under its own host name. The mail page keeps the browser's host
      // name, by which the backend sees whether this machine asks for it.
      '^/(?:auth|rest|storage)/v1/': { target: url, changeOrigin: true },
      '^/realtime/v1/': { target: url, ws: true, changeOrigin: true, rewriteWsOrigin: true },
      '^/config\\.json': { target: url, changeOrigin: true },
      '^/__mail': { target: url },
    },
  },
});
await vite.listen();
printToStderr(`Weft with hot reload: http://${values.host}:${vite.config.server.port}`);

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    backend.removeAllListeners('exit');
    backend.kill('SIGTERM');
    void Promise.all([vite.close(), once(backend, 'exit')]).then(() => process.exit(0));
  });
}
