// Pages by link, for visitors without an account: the session that watches, its comments and its files.
import type { DocumentId, LinkSecret } from 'weft-sync/protocol/ids.ts';
import type { LinkWatch } from 'weft-sync/session/session-api.ts';
import { objectUrls } from '../../platform/browser/object-urls.ts';
import { supabaseLinkFiles } from '../../platform/supabase/attachments.ts';
import { type OpenPageFiles, watchedFiles } from '../../state/files/page-files.ts';
import { type Project, pageCode, timing } from './project.ts';

export const linkPorts = ({ client, serverClock, config, sessionPorts, openLink }: Project) => ({
  async openWatch(secret: LinkSecret): Promise<LinkWatch> {
    const { openLinkSession, supabaseWatchLog } = await pageCode();
    const link = await openLink();
    return openLinkSession(secret, { ...sessionPorts, link, watchLog: supabaseWatchLog(client) });
  },
  async openLinkComments(secret: LinkSecret, watch: LinkWatch) {
    const { linkComments, supabaseLinkComments } = await import('./link-comments-code.ts');
    return linkComments({ secret, watch, timing, comments: supabaseLinkComments(client, serverClock) });
  },
  openLinkFiles: (secret: LinkSecret, watchedDocument: () => Promise<DocumentId | null>): OpenPageFiles =>
    watchedFiles({ source: supabaseLinkFiles(config, secret, watchedDocument), objectUrls, timing }),
});
