// One tab of any browser engine, in a profile of its own. Keys and clicks are real input, which the browser itself handles.

export const ENGINES = ['chromium', 'firefox', 'webkit'] as const;
export type EngineName = (typeof ENGINES)[number];

export interface EngineTab {
  readonly engine: EngineName;
  goto(url: string): Promise<void>;
  /** Runs in the page. `args` and the result are JSON. `run` may use nothing from outside. */
  evaluate<Args extends readonly unknown[], T>(run: (...args: Args) => T, ...args: Args): Promise<Awaited<T>>;
  /** Clicks at a place of the window, in CSS pixels. */
  clickAt(x: number, y: number): Promise<void>;
  /** Presses keys together, named as in `KeyboardEvent.key`: `['Control', 'b']`. */
  press(keys: readonly string[]): Promise<void>;
  setSize(width: number, height: number): Promise<void>;
  /** A PNG of the window. */
  screenshot(): Promise<Uint8Array>;
  close(): Promise<void>;
}

/** An installed browser. */
export type Engine = { readonly name: EngineName; readonly open: () => Promise<EngineTab> };

export const WINDOW = { width: 1280, height: 800 } as const;

/** Types characters as they are and keys in braces: `a{Enter}`, `{Control+b}`, `{Shift+ArrowLeft}`; `{{` is a brace. */
export async function typeInto(tab: EngineTab, keys: string): Promise<void> {
  for (const [key] of keys.matchAll(/\{\{|\{[^}]+\}|[\s\S]/gu)) {
    if (key === '{{') await tab.press(['{']);
    else await tab.press(key.length > 1 && key.startsWith('{') ? key.slice(1, -1).split(/\+(?=.)/) : [key]);
  }
}
