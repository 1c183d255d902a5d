import { expect, it, vi } from 'vitest';
import { MAX_MUTATION_FIELDS, readConfig } from '../../src/config/config.js';
import { findFreePort } from '../support/process.js';
import { answerJson, startStudyApi } from '../support/study-api.js';
import { wholeStudy } from '../support/studies.js';
import { nginxConfig, startNginx } from './nginx.fixture.js';
import { startReplica } from './replica.fixture.js';

vi.setConfig({ testTimeout: 20_000 });

/** Returns the value of a directive in the nginx configuration. */
function readDirective(name: string): string | undefined {
  return new RegExp(`^ *${name} (.*);$`, 'm').exec(nginxConfig)?.[1];
}

function readSeconds(name: string): number {
  return Number(/^(\d+)s$/.exec(readDirective(name) ?? '')?.[1]);
}

it('has timeouts and size limits that fit the defaults of the gateway', () => {
  const { http, rest } = readConfig({});
  const { keepAliveTimeoutMs, maxBodyBytes } = http;
  const { deadlineMs } = rest;

  expect(readSeconds('keepalive_timeout') * 1_000).toBeLessThan(keepAliveTimeoutMs - 5_000);
  expect(readSeconds('proxy_read_timeout') * 1_000).toBeGreaterThan(
    MAX_MUTATION_FIELDS * deadlineMs,
  );
  expect(Number.parseInt(readDirective('client_max_body_size')!, 10) * 2 ** 20).toBeGreaterThan(
    maxBodyBytes,
  );
});

it(
  'limits requests by the real client address, whatever X-Forwarded-For the client sends',
  { tags: ['nginx'] },
  async () => {
    const studyApi = await startStudyApi(answerJson(wholeStudy));
    const port = await findFreePort();
    const env = { STUDY_API_URL: studyApi.url, TRUST_PROXY: '1', RATE_LIMIT_REQUESTS: '2' };
    await startReplica(port, env);
    const { url } = await startNginx([port, await findFreePort()]);
    const ask = async (address: string): Promise<number> => {
      const { status } = await fetch(`${url}/graphql?query={__typename}`, {
        headers: { 'apollo-require-preflight': '1', 'x-forwarded-for': address },
      });
      return status;
    };

    expect([await ask('203.0.113.1'), await ask('203.0.113.2'), await ask('203.0.113.3')]).toEqual([
      200, 200, 429,
    ]);
  },
);
