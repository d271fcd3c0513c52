// The order of the test files: the slow ones first. At the end of a group a long file would keep one core busy while the other
// waits. In a fresh clone vitest knows no durations and starts with the largest files, but a short file can take a minute.
import { relative, sep } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { ROOT } from '../root.mjs';

/**
 * Every file that takes more than twenty seconds beside others on two cores; within a group of projects the slowest
 * first.
 */
export const SLOW_FILES: readonly string[] = [
  'tests/bench/smoke.test.ts',
  'tests/backend/postgres/cluster-place.test.ts',
  'tests/sim/seeds/seeds-1-to-100.test.ts',
  'tests/client/library.test.ts',
  'tests/sim/seeds/fresh-seeds.test.ts',
  'tests/contract/session/session-on-supabase.test.ts',
  'tests/backend/postgres/kills.test.ts',
  'tests/sync/updates/yjs-random.test.ts',
  'tests/backend/postgres/start-failures.test.ts',
  'tests/client/command/command.test.ts',
  'tests/backend/backup/restore-fails.test.ts',
  'tests/app/routes.test.tsx',
  'tests/contract/session/session-memory.test.ts',
  'tests/document/markdown/markdown-file.test.ts',
  'tests/contract/supabase.contract.test.ts',
  'tests/backend/start/start-command.test.ts',
  'tests/sim/seeds/regression-seeds.test.ts',
  'tests/sql/workspace/large-project.test.ts',
  'tests/contract/session/snapshots-on-supabase.test.ts',
  'tests/editor/announcements/remote-announcements.browser.test.tsx',
  'tests/features/comments/comments-of-page.browser.test.tsx',
  'tests/attack/content-fuzz.browser.test.ts',
  'tests/e2e/appearance/accessibility.test.ts',
  'tests/e2e/tabs/memory-leaks.test.ts',
  'tests/e2e/watching/follow-and-present.test.ts',
  'tests/e2e/offline/offline-pages.test.ts',
  'tests/e2e/tabs/reloads.test.ts',
  'tests/e2e/editing/history.test.ts',
  'tests/e2e/device/browser-killed.test.ts',
  'tests/e2e/tabs/frozen-tabs.test.ts',
  'tests/e2e/device/stored-pages.test.ts',
  'tests/e2e/server/restored-backup.test.ts',
  'tests/e2e/editing/writing-together.test.ts',
  'tests/e2e/access/strangers.test.ts',
  'tests/e2e/server/restored-pages.test.ts',
  'tests/e2e/watching/since.test.ts',
  'tests/e2e/workspace/closed-pages.test.ts',
  'tests/e2e/editing/files.test.ts',
  'tests/e2e/accounts/first-hour.test.ts',
  'tests/e2e/workspace/sharing.test.ts',
  'tests/e2e/workspace/two-members.test.ts',
  'tests/e2e/server/server-killed.test.ts',
  'tests/e2e/workspace/pages-in-text.test.ts',
  'tests/e2e/device/storage-full.test.ts',
  'tests/e2e/offline/network-failures.test.ts',
  'tests/e2e/workspace/home.test.ts',
  'tests/e2e/editing/safe-view.test.ts',
  'tests/e2e/tabs/two-tabs.test.ts',
  'tests/e2e/workspace/marks-icons-templates.test.ts',
  'tests/e2e/server/restored-accounts.test.ts',
  'tests/e2e/accounts/sign-out.test.ts',
  'tests/e2e/comments/comments.test.ts',
  'tests/e2e/offline/offline-text.test.ts',
  'tests/browsers/together.test.ts',
  'tests/e2e/server/plain-http.test.ts',
  'tests/e2e/workspace/workspace-settings.test.ts',
  'tests/browsers/edits.test.ts',
  'tests/e2e/appearance/screens.test.ts',
  'tests/e2e/watching/text-first.test.ts',
  'tests/e2e/server/snapshots.test.ts',
  'tests/e2e/editing/import-export.test.ts',
  'tests/e2e/device/failed-views.test.ts',
  'tests/e2e/tabs/next-version.test.ts',
  'tests/e2e/accounts/sign-up-and-links.test.ts',
];

const rankOf = ({ moduleId }: TestSpecification): number => {
  const rank = SLOW_FILES.indexOf(relative(ROOT, moduleId).split(sep).join('/'));
  return rank === -1 ? SLOW_FILES.length : rank;
};
const groupOf = ({ project }: TestSpecification): number => project.config.sequence.groupOrder;

export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => groupOf(a) - groupOf(b) || rankOf(a) - rankOf(b));
  }
}
