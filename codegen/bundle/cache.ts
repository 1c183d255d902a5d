// Writes V8's code cache of the bundle: starts the bundle, creates a study, and ends it.
import { once } from 'node:events';
import { chmodSync, globSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { createStudy } from './create-study.js';

process.chdir(join(import.meta.dirname, '../..'));

const studyApi = createServer((_request, response) => {
  response
    .setHeader('content-type', 'application/json')
    .end('{"id":"f0f0f0f0-f0f0-4f0f-8f0f-f0f0f0f0f0f0"}');
}).listen(0, '127.0.0.1');
await once(studyApi, 'listening');
const address = studyApi.address();
const port = typeof address === 'object' ? address?.port : undefined;

const env = { NODE_ENV: 'production', STUDY_API_URL: `http://127.0.0.1:${port}` };
await createStudy(process.execPath, ['bundle/main.js'], env, /"msg":".*(http:\S+\d)/);
studyApi.close();

// Node writes for the user who runs the program. The image's user is another one than the user who makes the image.
for (const file of globSync('bundle/cache/*/*')) chmodSync(file, 0o444);
