import { afterAll } from 'vitest';
import { closeBrowser } from './file-browser.js';

// Vitest runs this file for each test file. Modules that tests import run once for all files of a worker.
afterAll(closeBrowser);
