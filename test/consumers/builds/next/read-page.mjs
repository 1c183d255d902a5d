// Creates a study, and prints the page that the built app of the recipe serves.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { print } from 'graphql';
import { CreateStudyDocument } from 'study-gateway-client';

const [, , url] = process.argv;
const token = 'demo-token';
const variables = { input: { description: 'Why do people leave?' } };
await fetch(url, {
  method: 'POST',
  headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
  body: JSON.stringify({ query: print(CreateStudyDocument), variables }),
});

const next = 'node_modules/next/dist/bin/next';
const server = spawn(process.execPath, [next, 'start', '--port', '0', '-H', '127.0.0.1'], {
  env: { ...process.env, GATEWAY_URL: url, GATEWAY_TOKEN: token },
  stdio: ['ignore', 'pipe', 'inherit'],
});
let output = '';
for await (const text of server.stdout.setEncoding('utf8')) {
  output += text;
  if (output.includes('Ready')) break;
}
const [address] = /http:\/\/127\.0\.0\.1:\d+/.exec(output);
const page = await fetch(address);
console.log(await page.text());
server.kill();
await once(server, 'exit');
