// The safe view, in which people who may edit the page can also go back to an earlier state.
import { EarlierStates } from './earlier-states.tsx';
import { SafePage, type SafePageProps } from './safe-page.tsx';

export function SafeView(props: SafePageProps) {
  return <SafePage {...props} earlier={props.editable && <EarlierStates session={props.session} />} />;
}
