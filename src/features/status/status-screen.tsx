// `/status`.
import { StatusPage } from './status-page.tsx';
import { PersonScreen } from '../../shell/person-screen.tsx';

export const StatusScreen = () => (
  <PersonScreen title="Status">
    <StatusPage />
  </PersonScreen>
);
