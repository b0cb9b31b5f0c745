import type { Expect } from '@playwright/test';
import type { toMatchModelSnapshot } from './snapshot.js';

export const expect: Expect<{ toMatchModelSnapshot: typeof toMatchModelSnapshot }>;
