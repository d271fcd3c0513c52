// WebKitGTK through its own WebDriver, which is plain HTTP: https://www.w3.org/TR/webdriver2/. The driver has one session, so
// each tab has its own driver, and a window on a display that no one sees.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import * as v from 'valibot';
import { type EngineTab, WINDOW } from './engine-tab.ts';
import { endProcess, startDisplay } from './hidden-display.ts';

/** https://www.w3.org/TR/webdriver2/#keyboard-actions */
const KEY_CODES: Readonly<Record<string, string>> = {
  Backspace: '\uE003',
  Tab: '\uE004',
  Enter: '\uE007',
  Shift: '\uE008',
  Control: '\uE009',
  Alt: '\uE00A',
  Escape: '\uE00C',
  PageUp: '\uE00E',
  PageDown: '\uE00F',
  End: '\uE010',
  Home: '\uE011',
  ArrowLeft: '\uE012',
  ArrowUp: '\uE013',
  ArrowRight: '\uE014',
  ArrowDown: '\uE015',
  Delete: '\uE017',
};

const START_WITHIN_MS = 15_000;

export async function openWebDriverTab(driver: string, xvfb: string): Promise<EngineTab> {
  const display = await startDisplay(xvfb);
  const port = await freePort();
  const process = spawn(driver, [`--port=${port}`, '--host=127.0.0.1'], {
    env: { ...globalThis.process.env, DISPLAY: display.name, GDK_BACKEND: 'x11' },
    stdio: 'ignore',
  });
  const stop = async () => {
    await endProcess(process);
    await display.close();
  };
  try {
    const session = await startSession(`http://127.0.0.1:${port}`);
    const tab = new WebDriverTab(session, stop);
    await tab.setSize(WINDOW.width, WINDOW.height);
    return tab;
  } catch (error) {
    await stop();
    throw error;
  }
}

class WebDriverTab implements EngineTab {
  readonly engine = 'webkit';
  readonly #session: string;
  readonly #stop: () => Promise<void>;
  constructor(session: string, stop: () => Promise<void>) {
    this.#session = session;
    this.#stop = stop;
  }
  async goto(url: string): Promise<void> {
    await this.#call('POST', '/url', { url });
  }
  async evaluate<Args extends readonly unknown[], T>(run: (...args: Args) => T, ...args: Args): Promise<Awaited<T>> {
    const script = `return (${String(run)}).apply(null, arguments)`;
    return (await this.#call('POST', '/execute/sync', { script, args })) as Awaited<T>;
  }
  async clickAt(x: number, y: number): Promise<void> {
    const at = { x: Math.round(x), y: Math.round(y), origin: 'viewport' };
    const actions = [
      { type: 'pointerMove', ...at },
      { type: 'pointerDown', button: 0 },
      { type: 'pointerUp', button: 0 },
    ];
    await this.#perform({ type: 'pointer', id: 'mouse', parameters: { pointerType: 'mouse' }, actions });
  }
  async press(keys: readonly string[]): Promise<void> {
    const codes = keys.map((key) => KEY_CODES[key] ?? key);
    await this.#perform({
      type: 'key',
      id: 'keys',
      actions: [
        ...codes.map((value) => ({ type: 'keyDown', value })),
        ...codes.toReversed().map((value) => ({ type: 'keyUp', value })),
      ],
    });
  }
  async setSize(width: number, height: number): Promise<void> {
    await this.#call('POST', '/window/rect', { width, height });
  }
  async screenshot(): Promise<Uint8Array> {
    return Buffer.from(v.parse(v.string(), await this.#call('GET', '/screenshot')), 'base64');
  }
  async close(): Promise<void> {
    await this.#call('DELETE', '').catch(() => {});
    await this.#stop();
  }
  async #perform(source: object): Promise<void> {
    await this.#call('POST', '/actions', { actions: [source] });
  }
  #call(method: string, path: string, body?: object): Promise<unknown> {
    return call(method, `${this.#session}${path}`, body);
  }
}

/** Throws with the driver's message. */
async function call(method: string, url: string, body?: object): Promise<unknown> {
  const answer = await fetch(url, { method, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
  const { value } = v.parse(v.object({ value: v.unknown() }), await answer.json());
  if (!answer.ok) throw new Error(`${method} ${new URL(url).pathname}: ${JSON.stringify(value)}`);
  return value;
}

/** Tries until the driver listens. */
async function startSession(address: string): Promise<string> {
  const until = Date.now() + START_WITHIN_MS;
  for (;;) {
    try {
      const answer = await call('POST', `${address}/session`, { capabilities: { alwaysMatch: {} } });
      return `${address}/session/${v.parse(v.object({ sessionId: v.string() }), answer).sessionId}`;
    } catch (error) {
      if (!(error instanceof TypeError) || Date.now() > until) throw error;
      await new Promise((done) => setTimeout(done, 50));
    }
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = v.parse(v.object({ port: v.number() }), server.address());
  server.close();
  await once(server, 'close');
  return port;
}
