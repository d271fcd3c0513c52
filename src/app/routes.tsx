// Every address of the app. What the first screen does not need comes later: the workspace with its menus and dialogs,
// the page with the editor.
import type { RouteObject } from 'react-router';
import { Bones } from '../ui/states.tsx';
import { RequirePerson } from './require-person.tsx';
import { SignInScreen, SignUpScreen } from './screens/account-screens.tsx';
import { ErrorScreen } from './screens/error-screen.tsx';
import { NotFoundScreen } from './screens/not-found-screen.tsx';
import { StartScreen } from './screens/start-screen.tsx';
import { WelcomeScreen } from './screens/welcome-screen.tsx';

export const routes: RouteObject[] = [
  {
    ErrorBoundary: ErrorScreen,
    HydrateFallback: Loading,
    children: [
      { path: '/sign-in', Component: SignInScreen },
      { path: '/sign-up', Component: SignUpScreen },
      {
        path: '/reset',
        lazy: async () => ({ Component: (await import('./screens/reset-screen.tsx')).ResetScreen }),
      },
      {
        path: '/auth/callback',
        lazy: async () => ({ Component: (await import('./screens/callback-screen.tsx')).CallbackScreen }),
      },
      {
        path: '/s',
        lazy: async () => ({ Component: (await import('./screens/link-screen.tsx')).LinkScreen }),
      },
      {
        Component: RequirePerson,
        children: [
          { path: '/', Component: StartScreen },
          { path: '/welcome', Component: WelcomeScreen },
          {
            path: '/account',
            lazy: async () => ({ Component: (await import('./screens/my-account-screen.tsx')).MyAccountScreen }),
          },
          {
            path: '/w/:workspace',
            lazy: async () => ({ Component: (await import('./screens/workspace-layout.tsx')).WorkspaceLayout }),
            children: [
              {
                index: true,
                lazy: async () => ({ Component: (await import('./screens/home-screen.tsx')).HomeScreen }),
              },
              {
                path: 'p/:page',
                lazy: async () => ({ Component: (await import('./screens/page-screen.tsx')).PageScreen }),
              },
            ],
          },
          {
            path: '/w/:workspace/p/:page/watch',
            lazy: async () => ({ Component: (await import('./screens/page-watch-screen.tsx')).PageWatchScreen }),
          },
        ],
      },
      { path: '*', Component: NotFoundScreen },
    ],
  },
];

function Loading() {
  return (
    <main className="alone">
      <Bones label="Opening Weft" widths={['40%', '70%', '62%']} />
    </main>
  );
}
