// Imported before everything else: zod probes `new Function`, which the page's policy forbids.

import { z } from 'zod';

z.config({ jitless: true });
