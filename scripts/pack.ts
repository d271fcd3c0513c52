// `npm run pack:packages [folder]`: builds the npm packages that others install, and prints the path of each tarball.
import { copyFileSync, cpSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import process from 'node:process';
import { build } from 'vite';
import document from 'weft-document/package.json' with { type: 'json' };
import sync from 'weft-sync/package.json' with { type: 'json' };
import client from '../src/client/package.json' with { type: 'json' };
import { ROOT } from './root.mjs';
import { runProgram } from './setup/run-program.mjs';

const CLIENT = {
  manifest: client,
  source: 'src/client',
  exports: { index: 'watch.ts' },
  programs: { weft: 'command/weft.ts', 'markdown-thread': 'markdown-thread.ts' },
  bin: { weft: './dist/weft.js' },
  copied: {},
};
const DOCUMENT = {
  manifest: document,
  source: 'src/document',
  exports: { index: 'weft-document.ts' },
  programs: {},
  bin: undefined,
  copied: {},
};
const SYNC = {
  manifest: sync,
  source: 'src/sync',
  exports: { index: 'weft-sync.ts', testing: 'testing/testing.ts' },
  programs: {},
  bin: undefined,
  copied: { 'SPEC.md': 'src/sync/SPEC.md', 'supabase/migrations': 'supabase/migrations' },
};

type Package = typeof CLIENT | typeof DOCUMENT | typeof SYNC;

/** The workspaces that other packages import, by name and folder. */
const WORKSPACES = [DOCUMENT, SYNC].map(({ manifest, source }) => [manifest.name, source] as const);

const PACKED = join(ROOT, 'packed');
const folder = resolve(process.argv[2] ?? PACKED);
mkdirSync(folder, { recursive: true });
for (const one of [CLIENT, DOCUMENT, SYNC]) process.stdout.write(`${await pack(one)}\n`);

/** Returns the tarball's path. */
async function pack(one: Package): Promise<string> {
  const { manifest, source, bin, copied } = one;
  const to = join(PACKED, manifest.name);
  rmSync(to, { recursive: true, force: true });
  await writeScripts(one, join(to, 'dist'));
  await writeTypes(one, to);
  copyFileSync(join(ROOT, source, 'README.md'), join(to, 'README.md'));
  copyFileSync(join(ROOT, 'LICENSE'), join(to, 'LICENSE'));
  for (const [name, from] of Object.entries(copied)) cpSync(join(ROOT, from), join(to, name), { recursive: true });
  const published = {
    ...manifest,
    dependencies: usedDependencies(one, join(to, 'dist')),
    // The bundle contains them.
    devDependencies: undefined,
    bin,
    exports: Object.fromEntries(
      Object.entries(one.exports).map(([name, file]) => [
        name === 'index' ? '.' : `./${name}`,
        { types: `./dist/types/${typesOf(source, file)}`, default: `./dist/${name}.js` },
      ]),
    ),
    files: ['dist', ...Object.keys(copied)],
  };
  writeFileSync(join(to, 'package.json'), `${JSON.stringify(published, null, 2)}\n`);
  const packed = await runProgram('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: to });
  if (packed.status !== 0) throw new Error(`npm could not pack ${manifest.name}: ${packed.stderr}`);
  return join(folder, packed.stdout.trim());
}

/** The declarations of a source file, below `dist/types`. */
function typesOf(source: string, file: string): string {
  return join(relative('src', source), file.replace(/\.ts$/, '.d.ts'));
}

/** Bundles the repository's own code, with a script for each export and program; packages stay imports. */
async function writeScripts({ source, exports, programs }: Package, outDir: string): Promise<void> {
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
        input: Object.fromEntries(
          Object.entries({ ...exports, ...programs }).map(([name, file]) => [name, join(ROOT, source, file)]),
        ),
        output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
      },
    },
    ssr: { noExternal: /^weft-/ },
  });
}

/** The declared dependencies that the built scripts and declarations import. Throws if one is not declared. */
function usedDependencies({ manifest, source }: Package, dist: string): Readonly<Record<string, string>> {
  const declared: Readonly<Record<string, string>> = manifest.dependencies;
  const files = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((name) => /\.(?:js|d\.ts)$/.test(name));
  const used = new Set(files.flatMap((file) => packagesIn(readFileSync(join(dist, file), 'utf8'))));
  for (const name of used) {
    if (declared[name] ?? declared[`@types/${name}`]) continue;
    throw new Error(`${source}/package.json lacks ${name}`);
  }
  return Object.fromEntries(Object.entries(declared).filter(([name]) => used.has(name.replace(/^@types\//, ''))));
}

/** The packages that a script or a declaration imports. */
function packagesIn(script: string): readonly string[] {
  const imports = script.matchAll(/(?:from|import)\s*\(?\s*["']((?:@[\w-]+\/)?[a-z][\w-]*)(?:\/[^"']*)?["']/g);
  return Array.from(imports, ([, name]) => name ?? '').filter((name) => !isBuiltin(name));
}

/** Writes the declarations that the exports reach, those of other packages of this repository too. */
async function writeTypes({ manifest, source, exports }: Package, to: string): Promise<void> {
  const all = join(to, 'types');
  const config = join(to, 'tsconfig.json');
  writeFileSync(
    config,
    JSON.stringify({
      extends: relative(to, join(ROOT, 'tsconfig.json')),
      compilerOptions: {
        noEmit: false,
        declaration: true,
        emitDeclarationOnly: true,
        rootDir: join(ROOT, 'src'),
        outDir: all,
        // Found in node_modules by its name, a workspace would count as a foreign package, of which tsc writes no declarations.
        paths: Object.fromEntries(WORKSPACES.map(([name, from]) => [`${name}/*`, [join(ROOT, from, '*')]])),
      },
      include: [],
      files: Object.values(exports).map((file) => join(ROOT, source, file)),
    }),
  );
  const compiler = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
  const compiled = await runProgram(process.execPath, [compiler, '-p', config]);
  if (compiled.status !== 0) throw new Error(`The types of ${manifest.name} can't be written: ${compiled.stdout}`);
  const reached = new Set<string>();
  const take = (file: string) => {
    if (reached.has(file)) return;
    reached.add(file);
    const target = join(to, 'dist', 'types', file);
    mkdirSync(dirname(target), { recursive: true });
    const text = WORKSPACES.reduce(
      (before, [name, from]) => {
        const path = relative(dirname(file), relative('src', from));
        return before.replaceAll(`'${name}/`, `'${path.startsWith('.') ? path : `./${path}`}/`);
      },
      readFileSync(join(all, file), 'utf8'),
    );
    const imports = /((?:from|import\()\s*['"])(\.[^'"]+)\.ts(['"])/g;
    writeFileSync(target, text.replaceAll(imports, '$1$2.js$3'));
    for (const [, , path] of text.matchAll(imports)) take(join(dirname(file), `${path}.d.ts`));
  };
  for (const file of Object.values(exports)) take(typesOf(source, file));
  rmSync(all, { recursive: true });
  rmSync(config);
}
