import type * as http from 'node:http';
import { createRequire } from 'node:module';

const required: typeof http = createRequire(import.meta.url)('node:http');

/** By `require`: an `import` evaluates all that a module exports, here Node's own undici, which takes 30 ms of the start. */
export const { IncomingMessage, ServerResponse } = required;
