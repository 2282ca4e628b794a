// Imported first of all files: zod would test `new Function`, which the page's policy forbids.

import { z } from 'zod';

z.config({ jitless: true });
