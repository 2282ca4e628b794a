// Catalogues: stable codes with their English sentences. The console translates codes; sentences are for scripts, exports
// and logs. `catalogues.ts` lists all of them.

/** The values of the {{placeholders}} in a sentence. */
export type Params = Record<string, string | number>;

/** A code with the values of its placeholders, as it is stored and sent. */
export interface Coded<Code extends string = string> {
  code: Code;
  params: Params;
}

export function fillIn(text: string, params: Params): string {
  return text.replace(/\{\{(\w+)\}\}/g, (whole, name: string) => String(params[name] ?? whole));
}

export function defineCatalogue<Code extends string>(sentences: Readonly<Record<Code, string>>) {
  return {
    codes: Object.keys(sentences) as [Code, ...Code[]],
    has: (code: string): code is Code => Object.hasOwn(sentences, code),
    /** The sentence with its placeholders. */
    text: (code: Code): string => sentences[code],
    message: ({ code, params }: Coded<Code>): string => fillIn(sentences[code], params),
  };
}

type Catalogue<Code extends string> = ReturnType<typeof defineCatalogue<Code>>;
export type CodeOf<C> = C extends Catalogue<infer Code> ? Code : never;
