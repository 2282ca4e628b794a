import { Link } from '@tanstack/react-router';
import { IconUserShield } from '@tabler/icons-react';
import { t } from '../../lib/i18n.ts';
import { HeadButton } from '../../ui/buttons/head-button.tsx';
import { IconLink } from '../../ui/buttons/icon-link.tsx';
import type { ObjectRef } from './grants.queries.ts';

interface Props {
  projectId: number;
  object: ObjectRef;
}

/** Leads from the page of an object to who may do what with it. */
export const AccessButton = ({ projectId, object: { type, id } }: Props) => (
  <HeadButton
    label={t('access.title')}
    icon={<IconUserShield size={16} />}
    renderRoot={(props) => (
      <Link
        to="/project/$projectId/access/$type/$objectId"
        params={{ projectId, type, objectId: id }}
        {...props}
      />
    )}
  />
);

interface RowProps extends Props {
  name: string;
}

/** The same in a row of a list. */
export const AccessRowLink = ({ projectId, object: { type, id }, name }: RowProps) => (
  <IconLink
    label={t('access.of', { name })}
    hint={t('access.title')}
    icon={<IconUserShield size={16} />}
    to={`/project/${projectId}/access/${type}/${id}`}
  />
);
