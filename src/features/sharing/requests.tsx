// Open requests for access, each with buttons to deny and to allow it.
import type { DocumentRole } from 'weft-sync/protocol/roles.ts';
import type { AccessRequest } from '../../protocol/people-answers.ts';
import { useProfiles } from '../../state/hooks.ts';
import type { PagePeopleState } from '../../state/workspace/access/page-people.ts';
import { textOf } from '../../texts/error-texts.ts';
import { PAGE_ROLE_NAMES } from '../../texts/role-texts.ts';
import { Button } from '../../ui/controls/button.tsx';
import { toast } from '../../ui/floating/toast.tsx';
import { PersonTag } from '../../ui/people/person-tag.tsx';
import { ROLE_VERBS } from './access-text.ts';

type RequestsProps = { readonly requests: readonly AccessRequest[]; readonly people: PagePeopleState };

export function Requests({ requests, people }: RequestsProps) {
  const profiles = useProfiles();
  const give = async ({ id, displayName }: AccessRequest, role: DocumentRole | null) => {
    const answer = await people.answer(id, role);
    if (!answer.ok) return toast(textOf(answer.error));
    if (answer.value === role) return;
    // Another manager was faster, and the first answer counts.
    toast(
      answer.value === null
        ? `Another manager already denied ${displayName}’s request.`
        : `Another manager already answered: ${displayName}, ${PAGE_ROLE_NAMES[answer.value].toLowerCase()}.`,
    );
  };
  return (
    <ul className="requests" aria-label="Requests for access">
      {requests.map((request) => (
        <li key={request.id}>
          <PersonTag
            name={request.displayName}
            color={profiles.get(request.user)?.color ?? request.color}
            picture={profiles.get(request.user)?.avatarPath}
            size="large"
          />
          <p className="grow" id={`request-${request.id}`}>
            <bdi>{request.displayName}</bdi> wants to {ROLE_VERBS[request.role]}
            {request.note !== '' && (
              <small>
                “<bdi>{request.note}</bdi>”
              </small>
            )}
          </p>
          <span className="request-answers">
            <Button
              size="small"
              look="plain"
              aria-describedby={`request-${request.id}`}
              onClick={() => void give(request, null)}
            >
              Deny
            </Button>
            <Button
              size="small"
              look="primary"
              aria-describedby={`request-${request.id}`}
              onClick={() => void give(request, request.role)}
            >
              Allow
            </Button>
          </span>
        </li>
      ))}
    </ul>
  );
}
