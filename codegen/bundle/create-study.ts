// For the scripts that try what they have built.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/**
 * Starts a gateway, creates a study, and stops the gateway. Returns the answer.
 *
 * @param pattern matches the address of the gateway in a line that it prints
 */
export async function createStudy(
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  pattern: RegExp,
): Promise<string> {
  const { PATH, HOME } = process.env;
  const gateway = spawn(command, args, {
    env: { PATH, HOME, HOST: '127.0.0.1', PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(gateway, 'exit');
  let answer = '';
  for await (const line of createInterface(gateway.stdout)) {
    const [, url] = pattern.exec(line) ?? [];
    if (!url) continue;
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer demo-token' },
      body: '{"query":"mutation { createStudy(input: {}) { id } }"}',
    });
    answer = await response.text();
    gateway.kill('SIGTERM');
  }
  const [code, signal] = await ended;
  if (code !== 0) throw new Error(`The gateway ended with ${code ?? signal}.`);
  if (!answer.startsWith('{"data":{"createStudy":{"id":"')) throw new Error(`No study: ${answer}`);
  return answer;
}
