import { spawnSync } from 'node:child_process';
import { dirname } from 'node:path';
import { expect, it } from 'vitest';

/** Runs a test file that needs Redis, with only Node in PATH. Returns the status, the output and its last line. */
function runBare(env: Record<string, string> = {}) {
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', 'test/process/gateway-start.test.ts'];
  const PATH = dirname(process.execPath);
  const { status, stdout, stderr } = spawnSync(process.execPath, vitest, {
    encoding: 'utf8',
    env: {
      PATH,
      CHROMIUM: '/nowhere/chromium',
      FIREFOX: '/nowhere/firefox',
      NO_COLOR: '1',
      ...env,
    },
  });
  return { status, output: stdout + stderr, lastLine: stdout.trimEnd().split('\n').at(-1) };
}

const missing =
  /^Not run: .*Redis \(redis\); .* \(nginx\); .* \(promtool\); .* \(chromium\); .* \(firefox\); .*: sudo apt-get install -y redis-server nginx prometheus chromium firefox-esr/;

it('skips tests whose tools are missing, passes, and prints at the end how to install the tools', () => {
  const { status, lastLine, output } = runBare();

  expect(output).toContain('1 skipped');
  expect(lastLine).toMatch(missing);
  expect(status).toBe(0);
});

it('fails at once if REQUIRE_ALL=1 is set and a tool is missing', () => {
  const { status, output } = runBare({ REQUIRE_ALL: '1' });

  expect(output).toMatch(new RegExp(missing.source.slice(1)));
  expect(output).not.toContain('skipped');
  expect(status).toBe(1);
});
