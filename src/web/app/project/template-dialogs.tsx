import { lazyExport } from '../../ui/lazy-export.ts';
import { OnceOpened } from '../../ui/dialogs/once-opened.tsx';
import type { TemplateAddress } from '../address/template-address.ts';

const TemplateForm = lazyExport(() => import('./template-form.tsx'), 'TemplateForm');

export function TemplateDialogs({ address }: { address: TemplateAddress }) {
  return (
    <OnceOpened opened={address.edit !== null || address.copy !== null}>
      <TemplateForm address={address} />
    </OnceOpened>
  );
}
