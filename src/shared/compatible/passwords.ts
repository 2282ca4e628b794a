// Clients of other versions name the password of before `current_password`.

import { z } from 'zod';
import { optional, secret } from '../fields.ts';
import { findingsOf } from '../field-errors.ts';
import { type Forms, isBody, preferGiven } from './forms.ts';

const fields = z.object({ current_password: optional(secret(z.string().max(1024))) });

export const passwordForms: Forms = {
  fields,
  read(given) {
    if (!isBody(given)) return { body: given, findings: [] };
    const { current_password: value, ...body } = given;
    const findings = findingsOf(fields, { current_password: value });
    if (findings.length > 0) return { body, findings };
    const one = { name: 'old_password', path: 'current_password', value };
    const isSame = body['old_password'] === value;
    return { body, findings: isSame ? [] : preferGiven(body, [one]) };
  },
};
