// Connects platform, sync and state, with one file per subject in `wire`.
import { browserEnvironment } from 'weft-sync/browser/environment.ts';
import { browserTheme } from '../platform/browser/theme-choice.ts';
import { projectInspector } from '../platform/supabase/inspection/project-inspector.ts';
import type { RecentCalls } from '../platform/supabase/recent-calls.ts';
import { type AppState, appState } from '../state/app-state.ts';
import type { RunTimeConfig } from './config/run-time-config.ts';
import { commentPorts } from './wire/comments.ts';
import { personDevice } from './wire/device.ts';
import { linkHistoryPorts, memberHistoryPorts } from './wire/history.ts';
import { linkPorts } from './wire/links.ts';
import { accountPorts } from './wire/own-account.ts';
import { pagePorts } from './wire/pages.ts';
import { openProject, timing } from './wire/project.ts';
import { signInPorts } from './wire/sign-in.ts';
import { membershipPort, workspacePorts } from './wire/workspaces.ts';

/** `reload` loads the app again, in its newest version. */
export function wire(config: RunTimeConfig, recentCalls: RecentCalls, reload: () => void): AppState {
  const project = openProject(config, recentCalls);
  const { client, filedUnder } = project;
  const membership = membershipPort(project);

  return appState({
    ...signInPorts(project),
    ...linkPorts(project),
    ...linkHistoryPorts(project),
    inspectProject: projectInspector(client, config, location.origin),
    readInvite: (secret) => membership.inviteInfo(secret),
    theme: browserTheme,
    reload,
    after: timing.after,
    environment: browserEnvironment,
    portsOf({ id }) {
      const device = personDevice(filedUnder.use(), id);
      return {
        ...workspacePorts(project, id),
        ...accountPorts(project, device),
        ...device.ports,
        ...pagePorts(project, device),
        ...memberHistoryPorts(project, id),
        ...commentPorts(project, device),
        membership,
        timing,
        capBytes: config.deviceBytes,
      };
    },
  });
}
