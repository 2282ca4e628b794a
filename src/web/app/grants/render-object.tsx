import { Suspense } from 'react';
import type { ObjectRenderer } from '../../features/identity/granted-parts.ts';
import { lazyExport } from '../../ui/lazy-export.ts';

const ObjectFields = lazyExport(
  () => import('../../features/grants/object-fields.tsx'),
  'ObjectFields',
);

/** The object on which a group rule gives a role; the grants own the choice. */
export const renderObject: ObjectRenderer = (input) => (
  <Suspense>
    <ObjectFields {...input} />
  </Suspense>
);
