// A reporter for vitest: prints how many seconds each project took, from its first file to its last. Projects of one group
// overlap.
import process from 'node:process';
import type { Reporter, TestModule } from 'vitest/node';

type Span = { readonly from: number; readonly to: number };

export default class ProjectSeconds implements Reporter {
  readonly #spans = new Map<string, Span>();

  onTestModuleQueued(module: TestModule): void {
    this.#extend(module);
  }

  onTestModuleEnd(module: TestModule): void {
    this.#extend(module);
  }

  onTestRunEnd(): void {
    const seconds = Array.from(this.#spans, ([name, { from, to }]) => `${name} ${Math.round((to - from) / 1000)}`);
    process.stdout.write(`\nSeconds per project: ${seconds.join(', ')}\n`);
  }

  #extend({ project }: Pick<TestModule, 'project'>): void {
    const now = performance.now();
    this.#spans.set(project.name, { from: this.#spans.get(project.name)?.from ?? now, to: now });
  }
}
