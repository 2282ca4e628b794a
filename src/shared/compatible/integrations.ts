// Clients of later versions of the API have a name for integrations that do not check the sender.

import { type Forms, isBody } from './forms.ts';
import { taskParamsForms } from './task-params.ts';

export const integrationForms: Forms = {
  fields: taskParamsForms.fields,
  read(given) {
    const isNone = isBody(given) && given['auth_method'] === 'none';
    return taskParamsForms.read(isNone ? { ...given, auth_method: '' } : given);
  },
};
