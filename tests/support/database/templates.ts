// Makes the databases that tests copy, each at most once in a run of vitest.
import { openDatabase } from '../../../backend/database.ts';
import { makeRealtimeSchema } from '../../backend/realtime/support/realtime-schema.ts';
import { connected, databaseUrl, newDatabase } from './database-names.ts';
import type { TemplateName } from './databases.ts';
import { makeHostedProject } from './hosted-project.ts';

/** Each makes a database and resolves with its name. */
export const templateMakers: Readonly<Record<TemplateName, (serverUrl: string) => Promise<string>>> = {
  hosted: makeHostedProject,
  backend: async (serverUrl) => {
    const name = await newDatabase(serverUrl);
    const database = await openDatabase({ dir: null, databaseUrl: databaseUrl(serverUrl, name) });
    await database.close();
    return name;
  },
  realtime: async (serverUrl) => {
    const name = await newDatabase(serverUrl);
    await connected(databaseUrl(serverUrl, name), makeRealtimeSchema);
    return name;
  },
};
