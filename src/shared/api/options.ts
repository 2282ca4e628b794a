import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { multiline } from '../fields.ts';

export const option = z.object({
  key: z
    .string()
    .max(255)
    .regex(/^[A-Za-z\d][\w.]*$/),
  value: multiline(1000),
});
export type Option = z.output<typeof option>;

export const options = {
  list: endpoint.get('/api/options', {
    permission: 'admin',
    forOthers: true,
    summary: 'The values that administrators keep here for their own programs, by key',
    reply: z.record(z.string(), z.string()),
  }),
  set: endpoint.post('/api/options', {
    permission: 'admin',
    forOthers: true,
    summary: 'Keep a value under a key. It changes nothing in how the server is set up',
    body: option,
    reply: option,
  }),
};
