// Clients of other versions send the old password as `current_password`.

import { z } from 'zod';
import { optional, secret } from '../fields.ts';
import { renamed } from './forms.ts';

export const passwordForms = renamed({
  from: 'current_password',
  to: 'old_password',
  schema: optional(secret(z.string().max(1024))),
});
