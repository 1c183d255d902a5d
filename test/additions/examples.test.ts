import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { root } from '../support/run.js';
import { checkAuthorize, checkField, type Place } from './examples.fixture.js';

vi.setConfig({ testTimeout: 60_000 });

const sources: Place = { folder: join(root, 'examples/additions'), cwd: root };

it('the example adds a field to Study', async () => {
  await expect(checkField(sources)).resolves.toBeUndefined();
});

it('the example admits a caller to the projects of its JWT', async () => {
  await expect(checkAuthorize(sources)).resolves.toBeUndefined();
});
