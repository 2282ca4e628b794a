// Imported first of all files: zod would test `new Function`, which the page's policy forbids. It is
// loaded with the first form, and finds its settings here.

Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });
