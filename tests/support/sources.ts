// Parses source files: what they import, and which globals they use. Finds cycles of imports.
import { readFileSync, readdirSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Node, type Program, Visitor, parseSync } from 'oxc-parser';
import manifest from '../../package.json' with { type: 'json' };

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export type Source = {
  /** Relative to the checkout, with forward slashes. */
  readonly path: string;
  readonly text: string;
  readonly imports: readonly Import[];
  /** Names under which the file exports something of its own. */
  readonly exports: ReadonlySet<string>;
  /** Names that are used but not declared in the file. */
  readonly globals: ReadonlySet<string>;
};

export type Import = {
  /** A path relative to the checkout, or a package specifier. */
  readonly to: string;
  readonly isPackage: boolean;
  /** An import of types only. */
  readonly isType: boolean;
  /** `import(…)`: the file is loaded when that runs. */
  readonly isLate: boolean;
};

/** The packages of this repository: each name with its folder. */
const WORKSPACES: ReadonlyMap<string, string> = new Map(
  manifest.workspaces.map((folder) => [`weft-${basename(folder)}`, folder]),
);

/** The file that an import names, also by the name of its workspace; null: a package from elsewhere. */
function fileOf(from: string, name: string): string | null {
  if (name.startsWith('.'))
    return relative(ROOT, join(ROOT, dirname(from), name))
      .split(sep)
      .join('/');
  for (const [workspace, folder] of WORKSPACES) {
    if (name.startsWith(`${workspace}/`)) return `${folder}${name.slice(workspace.length)}`;
  }
  return null;
}

/** Every TypeScript and JavaScript file below a folder of the checkout. */
export function sourcesBelow(folder: string): Source[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(?:tsx?|mjs)$/.test(name) && !name.includes('node_modules'))
    .map((name) => readSource(`${folder}/${name.split(sep).join('/')}`));
}

export const readSource = (path: string): Source => parseSource(path, readFileSync(join(ROOT, path), 'utf8'));

export function parseSource(path: string, text: string): Source {
  const { program, module, errors } = parseSync(path, text);
  if (errors[0] !== undefined) throw new Error(`${path}: ${errors[0].message}`);
  const requests = [
    ...module.staticImports.map(({ moduleRequest, entries }) => ({
      name: moduleRequest.value,
      isType: entries.length > 0 && entries.every((entry) => entry.isType),
      isLate: false,
    })),
    ...module.staticExports.flatMap(({ entries }) =>
      entries.flatMap(({ moduleRequest, isType }) =>
        moduleRequest ? [{ name: moduleRequest.value, isType, isLate: false }] : [],
      ),
    ),
    ...module.dynamicImports.flatMap(({ moduleRequest }) => {
      const literal = /^['"](.*)['"]$/.exec(text.slice(moduleRequest.start, moduleRequest.end));
      return literal?.[1] === undefined ? [] : [{ name: literal[1], isType: false, isLate: true }];
    }),
  ];
  const imports = requests.map(({ name, isType, isLate }) => {
    const file = fileOf(path, name);
    return { to: file ?? name, isPackage: file === null, isType, isLate };
  });
  const exports = module.staticExports.flatMap(({ entries }) =>
    entries.flatMap(({ moduleRequest, exportName: { name } }) =>
      moduleRequest === null && name !== null ? [name] : [],
    ),
  );
  return { path, text, imports, exports: new Set(exports), globals: globalsOf(program) };
}

/** The files that are loaded with this one: what it imports at once, directly or through others. */
export function loadedWith(path: string, sources: ReadonlyMap<string, Source>): ReadonlySet<string> {
  const loaded = new Set([path]);
  // It grows while it is read.
  for (const one of loaded) {
    for (const { to, isType, isLate } of sources.get(one)?.imports ?? []) if (!isType && !isLate) loaded.add(to);
  }
  return loaded;
}

/**
 * Groups of files that import each other in a circle, each group in order of path. These are the strongly connected
 * components of the import graph (Tarjan's algorithm). An import of types counts like any other.
 */
export function importCycles(sources: readonly Source[]): string[][] {
  const importsOf = new Map(sources.map(({ path, imports }) => [path, imports.map(({ to }) => to)]));
  const order = new Map<string, number>();
  const stack: string[] = [];
  const cycles: string[][] = [];
  /** Returns the earliest file on the stack that `path` reaches, as its place in the order of visits. */
  const visit = (path: string): number => {
    const own = order.size;
    let earliest = own;
    order.set(path, own);
    stack.push(path);
    for (const to of importsOf.get(path) ?? []) {
      if (!importsOf.has(to)) continue;
      const seen = order.get(to);
      if (seen === undefined) earliest = Math.min(earliest, visit(to));
      else if (stack.includes(to)) earliest = Math.min(earliest, seen);
    }
    if (earliest === own) {
      const group = stack.splice(stack.indexOf(path));
      if (group.length > 1) cycles.push(group.toSorted());
    }
    return earliest;
  };
  for (const path of importsOf.keys()) if (!order.has(path)) visit(path);
  return cycles;
}

/** A name that is declared anywhere in the file counts as declared everywhere in it, so there is never a false alarm. */
function globalsOf(program: Program): Set<string> {
  const declared = new Set<string>();
  const used = new Set<string>();
  const declare = (pattern: Node | null | undefined): void => {
    if (pattern === null || pattern === undefined) return;
    if (pattern.type === 'Identifier') declared.add(pattern.name);
    else if (pattern.type === 'ObjectPattern') for (const part of pattern.properties) declare(part);
    else if (pattern.type === 'Property') declare(pattern.value);
    else if (pattern.type === 'ArrayPattern') for (const part of pattern.elements) declare(part);
    else if (pattern.type === 'AssignmentPattern') declare(pattern.left);
    else if (pattern.type === 'RestElement') declare(pattern.argument);
    else if (pattern.type === 'TSParameterProperty') declare(pattern.parameter);
  };
  const parametersOf = (of: { readonly params: readonly Node[] }) => of.params.forEach(declare);
  const keys = new Set<Node>();
  new Visitor({
    VariableDeclarator: (node) => declare(node.id),
    FunctionDeclaration: (node) => (declare(node.id), parametersOf(node)),
    FunctionExpression: (node) => (declare(node.id), parametersOf(node)),
    ArrowFunctionExpression: parametersOf,
    TSFunctionType: parametersOf,
    TSMethodSignature: (node) => (keys.add(node.key), parametersOf(node)),
    TSPropertySignature: (node) => void keys.add(node.key),
    ClassDeclaration: (node) => declare(node.id),
    CatchClause: (node) => declare(node.param),
    ImportDeclaration: (node) => node.specifiers.forEach((specifier) => declare(specifier.local)),
    Property: (node) => void (node.computed || node.shorthand || keys.add(node.key)),
    MethodDefinition: (node) => void (node.computed || keys.add(node.key)),
    PropertyDefinition: (node) => void (node.computed || keys.add(node.key)),
    MemberExpression: (node) => void (node.computed || keys.add(node.property)),
    TSQualifiedName: (node) => void keys.add(node.right),
    Identifier: (node) => void (keys.has(node) || used.add(node.name)),
  }).visit(program);
  return used.difference(declared);
}
