// Writes V8's code cache of the bundle: starts the bundle, creates a study, and ends it. Node runs this script as it is.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, globSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

process.chdir(join(import.meta.dirname, '../..'));

const studyApi = createServer((_request, response) => {
  response.setHeader('content-type', 'application/json').end('{"id":"1"}');
}).listen(0, '127.0.0.1');
await once(studyApi, 'listening');
const address = studyApi.address();
const port = typeof address === 'object' ? address?.port : undefined;

const env = {
  ...process.env,
  NODE_ENV: 'production',
  LOG_LEVEL: 'info',
  HOST: '127.0.0.1',
  PORT: '0',
  STUDY_API_URL: `http://127.0.0.1:${port}`,
};
const gateway = spawn(process.execPath, ['bundle/main.js'], {
  env,
  stdio: ['ignore', 'pipe', 'inherit'],
});
const ended = once(gateway, 'exit');
for await (const line of createInterface(gateway.stdout)) {
  const { msg }: { msg: string } = JSON.parse(line);
  const [url] = /http:\S+\d$/.exec(msg) ?? [];
  if (!url) continue;
  await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer x' },
    body: '{"query":"mutation { createStudy(input: {}) { id } }"}',
  });
  gateway.kill('SIGTERM');
}
const [code] = await ended;
studyApi.close();
if (code !== 0) throw new Error(`The bundle ended with ${code}.`);

// Node writes for the user who runs the program. The image's user is another one than the user who makes the image.
for (const file of globSync('bundle/cache/*/*')) chmodSync(file, 0o444);
