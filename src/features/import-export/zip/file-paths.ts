// Names of files and folders for pages and their attachments: readable, and valid on every file system.
import { UNTITLED } from '../../../texts/content-texts.ts';

/** With the ending and a number still below the 255 bytes of a name in most file systems, in any script. */
const MAX_NAME_CHARACTERS = 60;
/** Windows refuses these, with any ending. */
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)$/i;

/** A title as a name: without what some file system refuses. */
export function fileNameFor(title: string): string {
  const safe = Array.from(
    title
      .normalize('NFC')
      .replaceAll(/[\p{Cc}\p{Cf}\s\\/:*?"<>|]+/gu, ' ')
      .trim(),
  )
    .slice(0, MAX_NAME_CHARACTERS)
    .join('')
    // Windows drops dots and blanks at the end; a dot at the start hides a file.
    .replaceAll(/^[.\s]+|[.\s]+$/gu, '');
  if (safe === '') return UNTITLED;
  return RESERVED.test(safe) ? `${safe}_` : safe;
}

/** Gives each name once within a folder, whatever its case: "Plan", "plan 2". */
export function uniqueNames(): (name: string) => string {
  const taken = new Set<string>();
  /** The last number tried, by name: a folder may have thousands of untitled pages. */
  const numbers = new Map<string, number>();
  return (name) => {
    const dot = name.lastIndexOf('.');
    const [stem, ending] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ''];
    let unique = name;
    let n = numbers.get(name.toLowerCase()) ?? 1;
    while (taken.has(unique.toLowerCase())) unique = `${stem} ${++n}${ending}`;
    numbers.set(name.toLowerCase(), n);
    taken.add(unique.toLowerCase());
    return unique;
  };
}

/** A path as a relative URL. */
export const urlOfPath = (path: string): string => path.split('/').map(encodeURIComponent).join('/');
