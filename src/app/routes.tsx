// The routes of the app. Signing in, signing up and the start load with the app; every other screen loads when it is
// opened.
import type { RouteObject } from 'react-router';
import { SignInScreen, SignUpScreen } from '../features/account/sign-in-screens.tsx';
import { ErrorScreen } from '../screens/errors/error-screen.tsx';
import { PageAhead } from '../screens/page-ahead.tsx';
import { RequirePerson } from '../screens/require-person.tsx';
import { StartScreen } from '../screens/workspace/start-screen.tsx';
import { Skeleton } from '../ui/feedback/skeleton.tsx';

export const routes: RouteObject[] = [
  {
    ErrorBoundary: ErrorScreen,
    HydrateFallback: Loading,
    children: [
      { path: '/sign-in', Component: SignInScreen },
      { path: '/sign-up', Component: SignUpScreen },
      {
        path: '/reset',
        lazy: async () => ({ Component: (await import('../features/account/reset-screen.tsx')).ResetScreen }),
      },
      {
        path: '/auth/callback',
        lazy: async () => ({ Component: (await import('../features/account/callback-screen.tsx')).CallbackScreen }),
      },
      {
        path: '/s',
        lazy: async () => ({ Component: (await import('../screens/link/link-screen.tsx')).LinkScreen }),
      },
      {
        path: '/s/history',
        lazy: async () => ({
          Component: (await import('../screens/link/link-history-screen.tsx')).LinkHistoryScreen,
        }),
      },
      {
        path: '/i',
        lazy: async () => ({ Component: (await import('../screens/link/invite-screen.tsx')).InviteScreen }),
      },
      {
        Component: RequirePerson,
        children: [
          { path: '/', Component: StartScreen },
          {
            path: '/welcome',
            lazy: async () => ({
              Component: (await import('../screens/workspace/welcome-screen.tsx')).WelcomeScreen,
            }),
          },
          {
            path: '/account',
            lazy: async () => ({ Component: (await import('../features/account/account-screen.tsx')).AccountScreen }),
          },
          {
            path: '/status',
            lazy: async () => ({ Component: (await import('../features/status/status-screen.tsx')).StatusScreen }),
          },
          {
            path: '/w/:workspace',
            lazy: async () => ({
              Component: (await import('../screens/workspace/workspace-layout.tsx')).WorkspaceLayout,
            }),
            children: [
              {
                lazy: async () => ({
                  ErrorBoundary: (await import('../screens/workspace/workspace-layout.tsx')).WorkspaceRouteFailed,
                }),
                children: [
                  {
                    index: true,
                    lazy: async () => ({
                      Component: (await import('../screens/workspace/home-screen.tsx')).HomeScreen,
                    }),
                  },
                  {
                    path: 'members',
                    lazy: async () => ({
                      Component: (await import('../features/members/members-screen.tsx')).MembersScreen,
                    }),
                  },
                  {
                    path: 'trash',
                    lazy: async () => ({
                      Component: (await import('../features/trash/trash-screen.tsx')).TrashScreen,
                    }),
                  },
                  {
                    path: 'search',
                    lazy: async () => ({
                      Component: (await import('../features/search/search-screen.tsx')).SearchScreen,
                    }),
                  },
                  {
                    path: 'settings',
                    lazy: async () => ({
                      Component: (await import('../screens/workspace/settings-screen.tsx')).SettingsScreen,
                    }),
                  },
                  {
                    path: 'p/:page',
                    lazy: async () => ({ Component: (await import('../screens/page/page-screen.tsx')).PageScreen }),
                  },
                  {
                    path: 'p/:page/history',
                    lazy: async () => ({
                      Component: (await import('../screens/page/history-screen.tsx')).HistoryScreen,
                    }),
                  },
                ],
              },
            ],
          },
          {
            path: '/w/:workspace/p/:page/watch',
            lazy: async () => ({ Component: (await import('../screens/page/page-watch-screen.tsx')).PageWatchScreen }),
          },
        ],
      },
      {
        path: '*',
        lazy: async () => ({ Component: (await import('../screens/errors/not-found-screen.tsx')).NotFoundScreen }),
      },
    ],
  },
];

function Loading() {
  return (
    <main className="standalone">
      <PageAhead />
      <Skeleton label="Opening Weft" widths={['40%', '70%', '62%']} />
    </main>
  );
}
