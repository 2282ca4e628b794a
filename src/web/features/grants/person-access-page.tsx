import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ObjectAccess } from '#shared/api/grants.ts';
import { t } from '../../lib/i18n.ts';
import { rightName } from '../../lib/roles/may.ts';
import { column } from '../../resources/columns.ts';
import { QueryFailure } from '../../resources/query-failure.tsx';
import { type Column, DataTable } from '../../ui/lists/data-table.tsx';
import { Page } from '../../ui/page/page.tsx';
import { Section } from '../../ui/page/section.tsx';
import { memberQueries } from '../members/members.queries.ts';
import { useRoleChoices } from '../roles/roles.queries.ts';
import { AbilityCell, objectColumn, throughColumn } from './access-cells.tsx';
import { grantQueries } from './grants.queries.ts';

interface Props {
  projectId: number;
  userId: number;
}

/** What a member may do: by their role, and with each object about which it does not decide alone. */
export function PersonAccessPage({ projectId, userId }: Props) {
  const { data: members } = useQuery(memberQueries.list(projectId));
  const member = members?.find(({ id }) => id === userId);
  const { data, error, refetch } = useQuery(grantQueries.ofUser(projectId, userId));
  const name = member?.name ?? '';
  return (
    <Page
      title={t('access.what_may', { name })}
      above={
        <Link to="/project/$projectId/team" params={{ projectId }}>
          {t('team.title')}
        </Link>
      }
    >
      {error && !data ? (
        <QueryFailure error={error} refetch={refetch} />
      ) : (
        <>
          {member && <RoleOf projectId={projectId} slug={member.role} />}
          <Section title={t('access.exceptions')} text={t('access.exceptions_text', { name })}>
            {data?.length === 0 ? (
              <p>{t('access.no_exceptions')}</p>
            ) : (
              <DataTable
                label={t('access.exceptions')}
                columns={objectColumns(projectId, name)}
                rows={data}
                rowKey={({ object_type: type, object_id: id }) => `${type} ${id}`}
                expectedRows={3}
              />
            )}
          </Section>
        </>
      )}
    </Page>
  );
}

function RoleOf({ projectId, slug }: { projectId: number; slug: string }) {
  const role = useRoleChoices(projectId).find((one) => one.slug === slug);
  return (
    <Section title={t('access.in_project')} text={role?.description}>
      <details open={(role?.rights.length ?? 0) < 12}>
        <summary className="weight-550">{role?.name ?? slug}</summary>
        {role?.rights.length === 0 && <p className="soft pt-8">{t('access.none_of')}</p>}
        <ul className="soft pt-8 column gap-2">
          {role?.rights.map((right) => (
            <li key={right}>{rightName(right)}</li>
          ))}
        </ul>
      </details>
    </Section>
  );
}

const objectColumns = (projectId: number, person: string): Column<ObjectAccess>[] => [
  objectColumn(projectId),
  column('may', t('access.may'), { wide: true }, ({ through, rights, ...one }) =>
    through.length === 0 ? (
      <span className="soft">{t('access.no_access')}</span>
    ) : (
      <AbilityCell
        type={one.object_type}
        rights={rights}
        name={`${person} · ${one.object_name}`}
        through={through}
      />
    ),
  ),
  throughColumn(),
  column('mode', t('access.mode.label'), { wide: true, from: 'medium' }, ({ mode }) => (
    <div className="white-space-normal">{t(`access.mode.${mode}`)}</div>
  )),
];
