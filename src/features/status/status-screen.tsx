// `/status`: whether the server is set up as Weft needs it, and how live updates fared in this tab.
import { PersonScreen } from '../../shell/person-screen.tsx';
import { StatusPage } from './status-page.tsx';

export const StatusScreen = () => (
  <PersonScreen title="Status">
    <StatusPage />
  </PersonScreen>
);
