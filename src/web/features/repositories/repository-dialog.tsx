import { type NewRepository, newRepository } from '#shared/api/repositories.ts';
import { defineResourceDialog } from '../../resources/resource-dialog.tsx';
import { useDefaultBranch } from './default-branch.ts';
import { repositoryResource } from './repositories.queries.ts';
import { RepositoryFields } from './repository-fields.tsx';
import { repositoryBody, repositoryValues } from './repository-values.ts';

export const RepositoryDialog = defineResourceDialog({
  resource: repositoryResource,
  help: 'repository',
  fields: 6,
  values: repositoryValues,
  // The schema refuses a body without a key before it is sent.
  toBody: (values) => repositoryBody(values) as NewRepository,
  schema: newRepository,
  Fields: RepositoryFields,
  useFrame: useDefaultBranch,
});
