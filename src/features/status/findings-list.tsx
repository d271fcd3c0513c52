// Lists the findings of a check of the server. Each has a sentence and, where there is something to do, the step to
// take.
import Check from 'lucide-react/icons/check';
import Info from 'lucide-react/icons/info';
import OctagonAlert from 'lucide-react/icons/octagon-alert';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import type { Finding, FindingStatus } from '../../texts/project-findings.ts';

const STATUS: Readonly<Record<FindingStatus, { readonly label: string; readonly Icon: typeof Check }>> = {
  fit: { label: 'Fine', Icon: Check },
  unfit: { label: 'To do', Icon: OctagonAlert },
  advice: { label: 'Advice', Icon: TriangleAlert },
  unknown: { label: 'Not known', Icon: Info },
};

export function FindingsList({ findings }: { readonly findings: readonly Finding[] }) {
  return (
    <ul className="findings">
      {findings.map(({ title, status, text, todo }) => {
        const { label, Icon } = STATUS[status];
        return (
          <li key={title} data-status={status}>
            <Icon className="icon" aria-hidden="true" />
            <div>
              <h3>
                {title} <span className="finding-label">{label}</span>
              </h3>
              <p>{text}</p>
              {todo !== null && <p className="finding-todo">{todo}</p>}
            </div>
          </li>
        );
      })}
    </ul>
  );
}
