// The languages of code blocks: the stored id, the name, and the aliases that people type.

export type Language = { readonly id: string; readonly name: string; readonly aliases: readonly string[] };

const language = (id: string, name: string, ...aliases: readonly string[]): Language => ({ id, name, aliases });

/** Languages of the common set of highlight.js. The ids are its names. */
export const LANGUAGES: readonly Language[] = [
  language('arduino', 'Arduino', 'ino'),
  language('bash', 'Bash', 'sh', 'zsh'),
  language('c', 'C', 'h'),
  language('cpp', 'C++', 'c++', 'cc', 'hpp', 'cxx'),
  language('csharp', 'C#', 'cs', 'c#'),
  language('css', 'CSS'),
  language('diff', 'Diff', 'patch'),
  language('go', 'Go', 'golang'),
  language('graphql', 'GraphQL', 'gql'),
  language('xml', 'HTML, XML', 'html', 'xhtml', 'rss', 'svg', 'vue'),
  language('ini', 'INI, TOML', 'toml'),
  language('java', 'Java', 'jsp'),
  language('javascript', 'JavaScript', 'js', 'jsx', 'mjs', 'cjs'),
  language('json', 'JSON', 'jsonc', 'json5'),
  language('kotlin', 'Kotlin', 'kt', 'kts'),
  language('less', 'Less'),
  language('lua', 'Lua'),
  language('makefile', 'Makefile', 'mk', 'mak', 'make'),
  language('markdown', 'Markdown', 'md', 'mkd'),
  language('objectivec', 'Objective-C', 'objc', 'obj-c', 'mm'),
  language('perl', 'Perl', 'pl', 'pm'),
  language('php', 'PHP'),
  language('python', 'Python', 'py', 'gyp'),
  language('r', 'R'),
  language('ruby', 'Ruby', 'rb', 'gemspec'),
  language('rust', 'Rust', 'rs'),
  language('scss', 'SCSS'),
  language('shell', 'Shell session', 'console', 'shellsession'),
  language('sql', 'SQL', 'postgres', 'postgresql', 'psql'),
  language('swift', 'Swift'),
  language('typescript', 'TypeScript', 'ts', 'tsx', 'mts', 'cts'),
  language('vbnet', 'Visual Basic', 'vb'),
  language('wasm', 'WebAssembly', 'wat'),
  language('yaml', 'YAML', 'yml'),
];

const PLAIN_NAMES: readonly string[] = ['plaintext', 'text', 'txt', 'plain'];

/** Null if the language is unknown here. */
export function findLanguage(stored: string | null): Language | null {
  const name = stored?.toLowerCase();
  if (name === undefined) return null;
  return LANGUAGES.find((one) => one.id === name || one.aliases.includes(name)) ?? null;
}

/** The name shown above a code block. A language that is unknown here keeps the name it was stored with. */
export const languageName = (stored: string | null): string =>
  stored === null || PLAIN_NAMES.includes(stored.toLowerCase()) ? 'Plain text' : (findLanguage(stored)?.name ?? stored);

/** Languages that match a search, best match first. */
export function searchLanguages(words: string): readonly Language[] {
  const typed = words.trim().toLowerCase();
  if (typed === '') return LANGUAGES;
  const rank = ({ id, name, aliases }: Language): number => {
    const names = [id, name.toLowerCase(), ...aliases];
    if (names.includes(typed)) return 0;
    if (names.some((one) => one.startsWith(typed))) return 1;
    return names.some((one) => one.includes(typed)) ? 2 : 3;
  };
  return LANGUAGES.map((one) => ({ one, rank: rank(one) }))
    .filter((found) => found.rank < 3)
    .sort((a, b) => a.rank - b.rank)
    .map(({ one }) => one);
}
