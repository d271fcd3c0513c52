// Runs vitest's browser tests in an engine of this machine, through the driver that the other tests of engines use. Only tests
// without real clicks and keys (`vitest/browser`) can run so.
import { defineBrowserProvider } from '@vitest/browser';
import type { BrowserProviderOption } from 'vitest/node';
import type { EngineName, EngineTab } from './engine-tab.ts';
import { findEngines } from './find-engines.ts';

declare module 'vitest/browser' {
  interface BrowserCommands {
    __vitest_viewport: () => Promise<void>;
  }
}

export const engineProvider = (name: EngineName): BrowserProviderOption =>
  defineBrowserProvider({
    name: 'engine',
    providerFactory(project) {
      const tabs: EngineTab[] = [];
      // Vitest asks for the size of its page before each file. The tabs are large enough already.
      project.browser?.registerCommand('__vitest_viewport', async () => {});
      return {
        name: 'engine',
        supportsParallelism: false,
        getCommandsContext: () => ({}),
        async openPage(_session, url) {
          const engine = findEngines().find((one) => one.name === name);
          if (engine === undefined) throw new Error(`This machine has no ${name}.`);
          const tab = await engine.open();
          tabs.push(tab);
          await tab.goto(url);
        },
        async close() {
          await Promise.all(tabs.splice(0).map((tab) => tab.close()));
        },
      };
    },
  });
