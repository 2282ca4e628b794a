// Imported first of all files: zod would test `new Function`, which the page's CSP forbids. zod is
// loaded with the first form, and reads its settings here.

Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });
