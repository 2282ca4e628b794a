import type { Grant } from '#shared/api/grants.ts';
import { t } from '../../lib/i18n.ts';
import type { ProjectScope } from '../../resources/resource.ts';
import { useRowDialogs } from '../../resources/use-deletion.tsx';
import type { EditAddress } from '../../ui/forms/edit-dialog.tsx';
import { lazyExport } from '../../ui/lazy-export.ts';
import type { GrantScope } from './grant-scope.ts';
import { grantResource } from './grants.queries.ts';

const GrantDialog = lazyExport(() => import('./grant-dialog.tsx'), 'GrantDialog');

type Named = Pick<Grant, 'id' | 'user_name' | 'object_name'> & Partial<Pick<Grant, 'from_rules'>>;

/** The dialogs that give, change and take away grants. */
export const useGrantDialogs = (scope: GrantScope & ProjectScope, address: EditAddress) =>
  useRowDialogs<Named, (typeof grantResource)['endpoints'], typeof scope>(
    { resource: grantResource, scope, Dialog: GrantDialog, address },
    {
      renderText: (grant) =>
        [
          t('grant.delete_text', { name: grantResource.nameOf(grant) }),
          ...(grant.from_rules ? [t('grant.delete_rule_text', { user: grant.user_name })] : []),
        ].join(' '),
    },
  );
