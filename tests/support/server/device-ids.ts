// Fixed ids for tests of what a device stores.
import { parseDocumentId, parseSessionId, parseUserId } from 'weft-sync/protocol/ids.ts';
import { parseWorkspaceId } from '../../../src/protocol/ids.ts';

const required = <T>(value: T | null): T => {
  if (value === null) throw new Error('malformed id in a test');
  return value;
};
const tail = (n: number) => `-0000-4000-8000-${String(n).padStart(12, '0')}`;

export const deviceUser = required(parseUserId(`b0000000${tail(1)}`));
export const deviceWorkspace = required(parseWorkspaceId(`a0000000${tail(1)}`));
export const deviceDocument = (n: number) => required(parseDocumentId(`d0000000${tail(n)}`));
export const deviceSession = (n: number) => required(parseSessionId(`e0000000${tail(n)}`));

let projects = 0;
/** A new project for each test, so that its storage is empty. */
export const newProject = () => `device-${Date.now()}-${++projects}`;
