// Checks the parsed migrations for what `supabase db push` may do on a hosted project, and for our own rules for
// functions and tables. A statement of a kind that is not listed here is a violation.
import { parse } from 'pgsql-parser';

export type Violation = { readonly file: string; readonly rule: string; readonly where: string };
export type Migration = { readonly file: string; readonly sql: string };

/** The schemas that we may create objects in. All others belong to the service. */
const OURS = new Set(['public', 'weft']);
const CLIENT_ROLES = new Set(['anon', 'authenticated', 'service_role', 'public']);

type Node = Readonly<Record<string, unknown>>;

/** The parts of a statement that the rules check. */
type Statement = { readonly kind: string; readonly node: Node };

export async function findViolations(migrations: readonly Migration[]): Promise<Violation[]> {
  const files = [];
  for (const { file, sql } of migrations) files.push({ file, statements: await statementsOf(sql) });

  const all = files.flatMap(({ statements }) => statements);
  const ourFunctions = new Set(
    all.filter(({ kind }) => kind === 'CreateFunctionStmt').map(({ node }) => nameOf(list(node['funcname'])).name),
  );
  const violations: Violation[] = [];
  for (const { file, statements } of files) {
    const dropped = new Set<string>();
    for (const statement of statements) {
      for (const rule of check(statement, dropped, ourFunctions)) {
        violations.push({ file, rule, where: label(statement) });
      }
    }
  }
  return [...violations, ...unprotectedTables(files)];
}

async function statementsOf(sql: string): Promise<Statement[]> {
  const parsed: unknown = await parse(sql);
  return list(get(parsed, 'stmts')).map((entry) => {
    const [kind = '', node] = Object.entries(Object(get(entry, 'stmt')))[0] ?? [];
    return { kind, node: asNode(node) };
  });
}

function* check({ kind, node }: Statement, dropped: Set<string>, ourFunctions: ReadonlySet<string>): Generator<string> {
  switch (kind) {
    case 'CreateSchemaStmt':
      if (node['schemaname'] !== 'weft') yield 'only the schema weft is ours to make';
      return;
    case 'CreateEnumStmt':
      yield* checkSchema(nameOf(list(node['typeName'])).schema);
      return;
    case 'CompositeTypeStmt':
      yield* checkSchema(text(get(node['typevar'], 'schemaname')));
      return;
    case 'CreateStmt':
    case 'AlterTableStmt':
    case 'IndexStmt':
    case 'UpdateStmt':
    case 'DeleteStmt':
      yield* checkSchema(text(get(node['relation'], 'schemaname')));
      return;
    case 'InsertStmt': {
      const table = `${text(get(node['relation'], 'schemaname'))}.${text(get(node['relation'], 'relname'))}`;
      // A bucket is a row of this table. Supabase's guide creates buckets in migrations this way.
      if (table !== 'storage.buckets') yield* checkSchema(text(get(node['relation'], 'schemaname')));
      return;
    }
    case 'CreateFunctionStmt':
      yield* checkFunction(node, ourFunctions);
      return;
    case 'CreateTrigStmt':
      yield* checkTrigger(node);
      return;
    case 'CreatePolicyStmt':
      yield* checkPolicy(node, dropped);
      return;
    case 'DropStmt':
      yield* checkDrop(node, dropped);
      return;
    case 'GrantStmt':
      yield* checkGrant(node);
      return;
    case 'VariableSetStmt':
      // As `supabase db diff` does: a body may name a function that comes later.
      if (node['name'] !== 'check_function_bodies') yield `${text(node['name'])} is not ours to set`;
      return;
    case 'SelectStmt':
      if (!callsOurFunction(node)) yield 'SelectStmt is not known to be allowed';
      return;
    default:
      yield `${kind} is not known to be allowed`;
  }
}

/** Whether a statement is `select weft.f()` and nothing else. */
function callsOurFunction(node: Node): boolean {
  const [target, ...others] = list(node['targetList']);
  const call = asNode(get(target, 'ResTarget', 'val', 'FuncCall'));
  const isBare = node['fromClause'] === undefined && node['whereClause'] === undefined && call['args'] === undefined;
  return others.length === 0 && isBare && nameOf(list(call['funcname'])).schema === 'weft';
}

function* checkSchema(schema: string): Generator<string> {
  if (schema === '') yield 'its schema is not named';
  else if (!OURS.has(schema)) yield `the schema ${schema} is not ours`;
}

function* checkFunction(node: Node, ourFunctions: ReadonlySet<string>): Generator<string> {
  const { schema } = nameOf(list(node['funcname']));
  yield* checkSchema(schema);
  const options = list(node['options']).map((option) => asNode(get(option, 'DefElem')));
  const option = (name: string) =>
    options.filter((firstGroup) => firstGroup['defname'] === name).map((one) => one['arg']);

  if (!option('security').some((arg) => get(arg, 'Boolean', 'boolval') === true)) yield 'no security definer';
  const paths = option('set').filter((arg) => get(arg, 'VariableSetStmt', 'name') === 'search_path');
  const isEmpty = paths.some((arg) => {
    const values = list(get(arg, 'VariableSetStmt', 'args'));
    return values.length === 1 && get(values[0], 'A_Const', 'sval', 'sval') === '';
  });
  if (!isEmpty) yield 'no empty search_path';

  const language = option('language').map((arg) => get(arg, 'String', 'sval'))[0];
  if (language !== 'sql' && language !== 'plpgsql') yield `language ${String(language)}`;
  const body = list(option('as')[0] === undefined ? [] : get(option('as')[0], 'List', 'items'))
    .map((item) => text(get(item, 'String', 'sval')))
    .join('\n');
  for (const name of unqualifiedNames(body, ourFunctions)) yield `${name} is not qualified`;
}

/**
 * Our tables and functions that a body names without their schema. This works on the text, because the parser does not
 * parse PL/pgSQL. Common table expressions and functions that are not ours, such as built-in ones, need no schema.
 */
export function unqualifiedNames(body: string, ourFunctions: ReadonlySet<string>): string[] {
  const code = body
    .replaceAll(/--.*$/gm, '')
    .replaceAll(/'(?:[^']|'')*'/g, "''")
    .replaceAll(/\bdistinct\s+from\b|\bexception\s+using\b/gi, 'differs')
    .replaceAll(/\bextract\s*\(\s*\w+\s+from\b/gi, 'extract(');
  const known = new Set(Array.from(code.matchAll(/\b(\w+)\s*(?:\([^()]*\))?\s+as\s*(?:materialized\s*)?\(/gi), one));
  const relation =
    /\b(?:from|join|insert\s+into|delete\s+from|using|(?<!for )(?<!do )update(?=\s+\w+\s+(?:as\s+\w+\s+)?set\b))\s+(?:only\s+)?(\w+)\b(?!\s*[.(\w]*\()(?!\s*\.)/gi;
  const found = Array.from(code.matchAll(relation), one).filter(
    (name) => !known.has(name) && !/^(?:lateral|rows|select|unnest)$/i.test(name),
  );
  const calls = Array.from(code.matchAll(/(?<![.\w"])(\w+)\s*\(/g), one).filter(
    (name) => ourFunctions.has(name) && !known.has(name),
  );
  return [...new Set([...found, ...calls])];
}

const one = (match: RegExpExecArray): string => match[1] ?? '';

function* checkTrigger(node: Node): Generator<string> {
  const schema = text(get(node['relation'], 'schemaname'));
  const table = `${schema}.${text(get(node['relation'], 'relname'))}`;
  if (table === 'auth.users') {
    if (!text(node['trigname']).startsWith('weft_')) yield 'a trigger on auth.users without our prefix';
  } else {
    yield* checkSchema(schema);
  }
  yield* checkSchema(nameOf(list(node['funcname'])).schema);
}

function* checkPolicy(node: Node, dropped: ReadonlySet<string>): Generator<string> {
  const schema = text(get(node['table'], 'schemaname'));
  const table = `${schema}.${text(get(node['table'], 'relname'))}`;
  const name = text(node['policy_name']);
  if (!name.startsWith('weft_')) yield 'a policy without our prefix';
  if (table === 'realtime.messages' || table === 'storage.objects') {
    if (!dropped.has(`${table}.${name}`)) yield 'no "drop policy if exists" before it';
  } else {
    yield* checkSchema(schema);
  }
}

function* checkDrop(node: Node, dropped: Set<string>): Generator<string> {
  for (const object of list(node['objects'])) {
    const name = get(object, 'List', 'items') ?? get(object, 'ObjectWithArgs', 'objname');
    const path = list(name).map((item) => text(get(item, 'String', 'sval')));
    const table = path.slice(0, 2).join('.');
    if (node['removeType'] === 'OBJECT_POLICY' && (table === 'realtime.messages' || table === 'storage.objects')) {
      if (node['missing_ok'] !== true) yield 'a drop without "if exists"';
      if (path[2]?.startsWith('weft_') !== true) yield 'drops a policy that is not ours';
      dropped.add(path.join('.'));
    } else {
      yield* checkSchema(path.length > 1 ? (path[0] ?? '') : '');
    }
  }
}

function* checkGrant(node: Node): Generator<string> {
  if (node['targtype'] !== 'ACL_TARGET_OBJECT') yield 'grants on everything in a schema reach what is not ours';
  for (const object of list(node['objects'])) {
    if (node['objtype'] === 'OBJECT_SCHEMA') {
      if (get(object, 'String', 'sval') !== 'weft') yield 'a grant on a schema that is not weft';
    } else {
      const relation = text(get(object, 'RangeVar', 'schemaname'));
      yield* checkSchema(relation !== '' ? relation : nameOf(list(get(object, 'ObjectWithArgs', 'objname'))).schema);
    }
  }
  for (const grantee of list(node['grantees'])) {
    const role =
      get(grantee, 'RoleSpec', 'roletype') === 'ROLESPEC_PUBLIC' ? 'public' : get(grantee, 'RoleSpec', 'rolename');
    if (!CLIENT_ROLES.has(text(role))) yield `a grant to ${text(role)}`;
  }
}

/** Tables for which no migration enables row level security. */
function unprotectedTables(files: readonly { file: string; statements: readonly Statement[] }[]): Violation[] {
  const protectedTables = new Set(
    files
      .flatMap(({ statements }) => statements)
      .filter(({ kind, node }) => kind === 'AlterTableStmt' && enablesRowSecurity(node))
      .map(({ node }) => text(get(node['relation'], 'relname'))),
  );
  return files.flatMap(({ file, statements }) =>
    statements
      .filter(({ kind, node }) => kind === 'CreateStmt' && !protectedTables.has(text(get(node['relation'], 'relname'))))
      .map((statement) => ({ file, rule: 'no row level security', where: label(statement) })),
  );
}

const enablesRowSecurity = (node: Node) =>
  list(node['cmds']).some((command) => get(command, 'AlterTableCmd', 'subtype') === 'AT_EnableRowSecurity');

function label({ kind, node }: Statement): string {
  const relation = asNode(node['relation'] ?? node['table'] ?? {});
  const name = [text(relation['schemaname']), text(relation['relname'])].filter((part) => part !== '').join('.');
  const fn = nameOf(list(node['funcname'])).name;
  return [kind, name, fn, text(node['policy_name'])].filter((part) => part !== '').join(' ');
}

// The parser's tree is plain JSON of many shapes, so it is read by path without assumptions.

function get(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (at, key) => (typeof at === 'object' && at !== null ? Reflect.get(at, key) : undefined),
    value,
  );
}

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const asNode = (value: unknown): Node => Object.fromEntries(Object.entries(Object(value)));

function nameOf(parts: readonly unknown[]): { readonly schema: string; readonly name: string } {
  const names = parts.map((part) => text(get(part, 'String', 'sval')));
  return { schema: names.length > 1 ? (names[0] ?? '') : '', name: names.at(-1) ?? '' };
}
