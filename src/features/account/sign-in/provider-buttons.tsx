// A button for each service that the project lets people sign in with ("Continue with Google"). Nothing if there is none.
import { useEffect, useState } from 'react';
import { useApp } from '../../../state/hooks.ts';
import { PROVIDER_NAMES, type Provider, type ProviderProblem, providerText } from '../../../texts/provider-texts.ts';
import { Button } from '../../../ui/controls/button.tsx';

type ProviderButtonsProps = {
  /** `link`: the person is a guest, and becomes an account. */
  readonly to: 'signIn' | 'link';
  /** The address in this app that the sign-in leads to. */
  readonly next: string;
};

export function ProviderButtons({ to, next }: ProviderButtonsProps) {
  const { providerSignIn } = useApp();
  const [providers, setProviders] = useState<readonly Provider[]>([]);
  const [problem, setProblem] = useState<ProviderProblem | null>(null);
  const [isBusy, setBusy] = useState(false);
  useEffect(() => {
    let isCurrent = true;
    providerSignIn()
      .then((port) => port.providers())
      .then((on) => {
        if (isCurrent) setProviders(on);
      })
      // What was not loaded is not offered: email and password remain.
      .catch(() => undefined);
    return () => {
      isCurrent = false;
    };
  }, [providerSignIn]);

  useEffect(() => {
    // Someone who went back from the other service gets this page as they left it, with its buttons disabled.
    const back = ({ persisted }: PageTransitionEvent) => {
      if (persisted) setBusy(false);
    };
    addEventListener('pageshow', back);
    return () => removeEventListener('pageshow', back);
  }, []);

  const leave = async (provider: Provider) => {
    setBusy(true);
    setProblem(null);
    const answer = await (await providerSignIn())[to](provider, next);
    // On success the browser is leaving the page, and a second press would begin another sign-in.
    if (answer.ok) return;
    setBusy(false);
    setProblem(answer.error);
  };
  if (providers.length === 0) return null;
  return (
    <>
      {to === 'link' && <span className="or">or</span>}
      {problem !== null && <p role="alert">{providerText(problem)}</p>}
      {providers.map((provider) => (
        <Button key={provider} size="wide" disabled={isBusy} onClick={() => void leave(provider)}>
          Continue with {PROVIDER_NAMES[provider]}
        </Button>
      ))}
    </>
  );
}
