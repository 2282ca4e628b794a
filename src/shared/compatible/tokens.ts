// Clients of later versions of the API name the time at which a token expires `expires_at`.

import { z } from 'zod';
import { findingsOf } from '../field-errors.ts';
import { forOthers, type Forms, isBody, preferGiven } from './forms.ts';

const fields = z.object({ expires_at: z.iso.datetime({ offset: true }).nullish() });

export const tokenForms: Forms = {
  fields,
  read(given) {
    if (!isBody(given)) return { body: given, findings: [] };
    const { expires_at: time, ...body } = given;
    const findings = findingsOf(fields, { expires_at: time });
    if (findings.length > 0 || typeof time !== 'string') return { body, findings };
    const value = time.endsWith('Z') ? time : new Date(time).toISOString();
    const isSame = body['expires'] === value;
    const one = { name: 'expires', path: 'expires_at', value };
    return { body, findings: isSame ? [] : preferGiven(body, [one]) };
  },
};

export const shownTokenForms = forOthers({ expires_at: z.iso.datetime().nullable() });
