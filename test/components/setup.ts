// What the console needs of a browser and a DOM without one lacks.

import { cleanup } from '@testing-library/react';
import { afterEach } from 'vitest';

afterEach(cleanup);
