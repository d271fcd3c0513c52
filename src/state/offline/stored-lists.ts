// Parsers for cached lists: the shapes of the server's answers as they are in memory, with times as numbers.
import * as v from 'valibot';
import { parseOrNull } from '../../lib/parse-or-null.ts';
import { type Profile, type Workspace, documentSummary, profile, workspace } from '../../protocol/answers.ts';
import type { DocumentList } from './document-list.ts';

/** Earlier versions stored no stamp, and documents without the optional fields. */
const storedDocument = v.object({
  ...documentSummary.entries,
  createdAt: v.number(),
  updatedAt: v.number(),
  visitedAt: v.optional(v.nullable(v.number()), null),
  favouriteRank: v.optional(v.nullable(v.string()), null),
  trashedAt: v.optional(v.nullable(v.number()), null),
  trashedBy: v.optional(documentSummary.entries.trashedBy, null),
});
const storedList = v.object({
  workspace,
  documents: v.array(storedDocument),
  stamp: v.optional(v.nullable(v.string()), null),
});
const storedWorkspaces = v.array(workspace);
const storedProfiles = v.array(profile);

const parser =
  <Schema extends v.GenericSchema>(schema: Schema) =>
  (stored: unknown): v.InferOutput<Schema> | null =>
    parseOrNull(schema, stored);

export const parseStoredDocuments: (stored: unknown) => DocumentList | null = parser(storedList);
export const parseStoredWorkspaces: (stored: unknown) => readonly Workspace[] | null = parser(storedWorkspaces);
export const parseStoredProfiles: (stored: unknown) => readonly Profile[] | null = parser(storedProfiles);
