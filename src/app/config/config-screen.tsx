// Shown instead of the app when its configuration is missing, wrong or can't be loaded: what is wrong and what to do.
import { Button } from '../../ui/controls/button.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { Logo } from '../../ui/mark/logo.tsx';
import type { ConfigProblem } from './run-time-config.ts';

const EXAMPLE = `{
  "url": "https://<project>.supabase.co",
  "anonKey": "<the project's public key>"
}`;

const TITLES = {
  missing: 'Weft doesn’t know its server yet',
  wrong: 'Weft can’t read its configuration',
  unreachable: 'Weft can’t load its configuration',
} as const;

type ConfigScreenProps = { readonly problem: ConfigProblem; readonly onRetry: () => void };

export function ConfigScreen({ problem, onRetry }: ConfigScreenProps) {
  return (
    <main className="standalone">
      <Logo />
      <EmptyState
        level={1}
        title={TITLES[problem.kind]}
        actions={
          <Button look="primary" onClick={onRetry}>
            Try now
          </Button>
        }
      >
        <p>{problem.why}</p>
        {problem.kind === 'unreachable' ? (
          <p>Check the connection. What you wrote on this device is safe.</p>
        ) : (
          <>
            <p>
              Put a file <code>config.json</code> beside <code>index.html</code>:
            </p>
            <pre>{EXAMPLE}</pre>
          </>
        )}
      </EmptyState>
    </main>
  );
}
