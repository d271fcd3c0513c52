// The comments of one person. Their code loads after the first screen (`late-comments.ts`).
import type { PersonPorts } from '../../state/person/person-ports.ts';
import type { Device } from './device.ts';
import type { Project } from './project.ts';

export const commentPorts = (
  { client, serverClock }: Project,
  { database }: Device,
): Pick<PersonPorts, 'openComments'> => ({
  async openComments() {
    const { commentChangeQueue, personComments, supabaseComments } = await import('./comments-code.ts');
    const ports = { comments: supabaseComments(client, serverClock), queue: commentChangeQueue(database) };
    return (options) => personComments({ ...options, ...ports });
  },
});
