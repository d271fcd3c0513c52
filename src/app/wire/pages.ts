// The pages of one person: their sessions, their files, and reading a whole page once.
import { browserLocks } from 'weft-sync/browser/tabs/locks.ts';
import { browserTabs } from 'weft-sync/browser/tabs/tab-channel.ts';
import { objectUrls } from '../../platform/browser/object-urls.ts';
import { fileCache } from '../../platform/browser/storage/file-cache.ts';
import { supabaseAttachments } from '../../platform/supabase/attachments.ts';
import { SCHEMA_VERSION } from '../../protocol/limits.ts';
import { originalFile } from '../../state/files/original-file.ts';
import type { PersonPorts } from '../../state/person/person-ports.ts';
import type { Device } from './device.ts';
import { type Project, pageCode } from './project.ts';

export function pagePorts(
  { client, config, sessionPorts, openLog, openLink }: Project,
  { project, user, database, store, documents }: Device,
): Pick<PersonPorts, 'openSession' | 'pageReader' | 'files'> {
  const attachments = supabaseAttachments(client, config);
  const files = fileCache(database);
  const ports = { ...sessionPorts, store, locks: browserLocks(), tabs: browserTabs(project, user, SCHEMA_VERSION) };
  return {
    async openSession(document, beforeOpen) {
      const [{ openMemberSession }, log, link] = await Promise.all([pageCode(), openLog(), openLink()]);
      const release = await documents.hold(document);
      return openMemberSession(
        document,
        {
          user,
          ports: { ...ports, link, log },
          beforeOpen,
          projectBudget: config.liveBudget,
          reportAttachments: attachments.setDocumentAttachments,
        },
        release,
      );
    },
    pageReader: {
      async read(document) {
        const [{ readWholePage }, log] = await Promise.all([pageCode(), openLog()]);
        return readWholePage(document, { log, store });
      },
      file: (document, attachment) => originalFile(files, attachments.ofDocument(document), attachment),
    },
    files: {
      storage: attachments,
      sourceOf: attachments.ofDocument,
      fileCache: files,
      // Files are added to an open page only. The picture maker loads with its code, so it is here when the network is gone.
      maker: { make: async (file) => (await pageCode()).pictureMaker.make(file) },
      objectUrls,
    },
  };
}
