import { options } from '#shared/api/options.ts';
import type { Http } from '../../http/serve.ts';
import { readOptions, setOption } from './options.ts';

export function optionRoutes(http: Http): void {
  http.serve(options.list, ({ ctx }) => readOptions(ctx));
  http.serve(options.set, ({ ctx, body }) => setOption(ctx, body));
}
