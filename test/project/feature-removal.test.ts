import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { toPostInit } from '../support/post.js';
import { answerJson, startStudyApi } from '../support/study-api.js';
import { wholeStudy } from '../support/studies.js';

const run = promisify(execFile);

/** A copy of the sources without one feature: its folder, and the lines of gateway.ts that use what it exports. */
function copyWithout(feature: string): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'study-gateway-removal-')));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const file of ['src', 'package.json', 'tsconfig.json', 'tsconfig.build.json'])
    cpSync(file, join(root, file), { recursive: true });
  symlinkSync(resolve('node_modules'), join(root, 'node_modules'));

  rmSync(join(root, 'src/features', feature), { recursive: true });
  const gateway = join(root, 'src/gateway.ts');
  const lines = readFileSync(gateway, 'utf8').split('\n');
  const imported = lines
    .filter((line) => line.includes(`'./features/${feature}/`))
    .flatMap((line) => line.match(/\b[a-z]\w+(?=[, ]*[,}])/g) ?? []);
  expect(imported).not.toEqual([]);
  const isOfFeature = new RegExp(String.raw`\b(${imported.join('|')})\b`);
  writeFileSync(gateway, lines.filter((line) => !isOfFeature.test(line)).join('\n'));
  return root;
}

async function startCopy(root: string, studyApiUrl: string): Promise<string> {
  const child = spawn(process.execPath, ['dist/main.js'], {
    cwd: root,
    env: { PATH: process.env.PATH, PORT: '0', STUDY_API_URL: studyApiUrl },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(async () => {
    child.kill('SIGTERM');
    if (child.exitCode === null) await once(child, 'exit');
  });
  let stdout = '';
  for await (const chunk of child.stdout) {
    stdout += String(chunk);
    const url = /^ +GraphQL +(\S+)$/m.exec(stdout)?.[1];
    if (url !== undefined) return url;
  }
  throw new Error(`It never said that it is ready:\n${stdout}`);
}

it.each(['limits', 'explorer'])(
  'builds and creates a study without features/%s and its lines in gateway.ts',
  { timeout: 120_000 },
  async (feature) => {
    const { url: studyApiUrl, calls } = await startStudyApi(answerJson(wholeStudy));
    const root = copyWithout(feature);

    await run(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'], {
      cwd: root,
    });
    const url = await startCopy(root, studyApiUrl);
    const query = 'mutation { createStudy(input: {}) { id } }';
    const response = await fetch(url, toPostInit({ query }));

    expect(await response.json()).toEqual({ data: { createStudy: { id: wholeStudy.id } } });
    expect(calls.map(({ method, url }) => `${method} ${url}`)).toEqual(['POST /studies']);
  },
);
