import { type ReactNode, Suspense } from 'react';
import { FormSkeleton } from '../../ui/feedback/skeleton.tsx';
import { lazyExport } from '../../ui/lazy-export.ts';
import type { TemplateAddress } from '../address/template-address.ts';

const TemplateForm = lazyExport(() => import('./template-form.tsx'), 'TemplateForm');

interface Props {
  address: TemplateAddress;
  children: ReactNode;
}

/** A screen of templates. While its address names the form of a template, that takes its place. */
export function FormInPlace({ address, children }: Props) {
  if (!address.isFormOpen) return children;
  return (
    <Suspense
      fallback={
        <div className="page-gutter py-4">
          <FormSkeleton fields={6} />
        </div>
      }
    >
      <TemplateForm key={`${address.edit} ${address.copy}`} address={address} />
    </Suspense>
  );
}
