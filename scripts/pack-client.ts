// `npm run pack:client [folder]`: builds src/client as the npm package that others install, and prints the path of its tarball.
import { copyFileSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import process from 'node:process';
import { build } from 'vite';
import { ROOT } from './root.mjs';
import manifest from '../src/client/package.json' with { type: 'json' };
import { runProgram } from './setup/run-program.mjs';

const SOURCE = join(ROOT, 'src', 'client');
const PACKED = join(ROOT, 'packed', 'weft-client');
const ENTRIES = { index: 'watch.ts', weft: 'command/weft.ts', 'markdown-thread': 'markdown-thread.ts' };

/** The packages that a script imports. */
const packagesIn = (script: string): readonly string[] =>
  Array.from(
    script.matchAll(/(?:from|import)\s*\(?\s*["']((?:@[\w-]+\/)?[a-z][\w-]*)(?:\/[^"']*)?["']/g),
    ([, name]) => name ?? '',
  ).filter((name) => !isBuiltin(name));

rmSync(PACKED, { recursive: true, force: true });
await writeScripts(join(PACKED, 'dist'));
await writeTypes(join(PACKED, 'dist', 'types'));
copyFileSync(join(SOURCE, 'README.md'), join(PACKED, 'README.md'));
copyFileSync(join(ROOT, 'LICENSE'), join(PACKED, 'LICENSE'));
const published = {
  ...manifest,
  bin: { weft: './dist/weft.js' },
  exports: { '.': { types: './dist/types/client/watch.d.ts', default: './dist/index.js' } },
  files: ['dist'],
};
writeFileSync(join(PACKED, 'package.json'), `${JSON.stringify(published, null, 2)}\n`);
const folder = resolve(process.argv[2] ?? dirname(PACKED));
mkdirSync(folder, { recursive: true });
const packed = await runProgram('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: PACKED });
if (packed.status !== 0) throw new Error(`npm could not pack the client: ${packed.stderr}`);
process.stdout.write(`${join(folder, packed.stdout.trim())}\n`);

/** One bundle of the repository's own code; packages stay imports, and each of them must be declared. */
async function writeScripts(outDir: string): Promise<void> {
  await build({
    configFile: false,
    root: ROOT,
    logLevel: 'warn',
    build: {
      ssr: true,
      target: 'node22',
      outDir,
      copyPublicDir: false,
      rolldownOptions: {
        input: Object.fromEntries(Object.entries(ENTRIES).map(([name, file]) => [name, join(SOURCE, file)])),
        output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
      },
    },
  });
  const declared = new Set(Object.keys(manifest.dependencies));
  const used = new Set(readdirSync(outDir).flatMap((file) => packagesIn(readFileSync(join(outDir, file), 'utf8'))));
  for (const name of used) if (!declared.has(name)) throw new Error(`src/client/package.json lacks ${name}`);
  for (const name of declared) if (!used.has(name)) throw new Error(`The client does not use ${name}`);
}

/** The declarations that the entry reaches. */
async function writeTypes(outDir: string): Promise<void> {
  const all = join(PACKED, 'types');
  const config = join(PACKED, 'tsconfig.json');
  writeFileSync(
    config,
    JSON.stringify({
      extends: relative(PACKED, join(ROOT, 'tsconfig.json')),
      compilerOptions: {
        noEmit: false,
        declaration: true,
        emitDeclarationOnly: true,
        rootDir: join(ROOT, 'src'),
        outDir: all,
      },
      include: [],
      files: [join(SOURCE, 'watch.ts')],
    }),
  );
  const compiler = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
  const compiled = await runProgram(process.execPath, [compiler, '-p', config]);
  if (compiled.status !== 0) throw new Error(`The client's types can't be written: ${compiled.stdout}`);
  const reached = new Set<string>();
  const take = (file: string) => {
    if (reached.has(file)) return;
    reached.add(file);
    const text = readFileSync(join(all, file), 'utf8');
    const target = join(outDir, file);
    mkdirSync(dirname(target), { recursive: true });
    const imports = /((?:from|import\()\s*['"])(\.[^'"]+)\.ts(['"])/g;
    writeFileSync(target, text.replaceAll(imports, '$1$2.js$3'));
    for (const [, , path] of text.matchAll(imports)) take(join(dirname(file), `${path}.d.ts`));
  };
  take(join('client', 'watch.d.ts'));
  rmSync(all, { recursive: true });
  rmSync(config);
}
