import { Suspense } from 'react';
import { lazyExport } from '../../ui/lazy-export.ts';
import { ProviderTable } from '../../features/identity/provider-table.tsx';
import { RuleList } from '../../features/identity/rule-list.tsx';
import { t } from '../../lib/i18n.ts';
import { Section } from '../../ui/page/section.tsx';
import { useCurrentUser } from '../session/access.ts';
import { AdminPage } from './admin-page.tsx';
import { renderObject } from '../grants/render-object.tsx';
import { renderZone } from '../grants/render-zone.tsx';
import { useEditAddress } from '../address/edit-address.ts';

const TryClaims = lazyExport(() => import('../../features/identity/try-claims.tsx'), 'TryClaims');

export function Identity() {
  const address = useEditAddress('edit', useCurrentUser().admin);
  return (
    <AdminPage title={t('admin.identity')}>
      <Section title={t('identity.providers')} text={t('identity.providers_text')}>
        <ProviderTable />
      </Section>
      <RuleList address={address} parts={{ renderObject, renderZone }} />
      <Suspense>
        <TryClaims />
      </Suspense>
    </AdminPage>
  );
}
