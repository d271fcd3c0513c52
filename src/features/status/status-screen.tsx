// `/status`.
import { PersonScreen } from '../../shell/person-screen.tsx';
import { StatusPage } from './status-page.tsx';

export const StatusScreen = () => (
  <PersonScreen title="Status">
    <StatusPage />
  </PersonScreen>
);
