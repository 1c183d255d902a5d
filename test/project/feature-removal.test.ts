import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { allDaily } from '../support/daily.js';
import { createScratchCopy, type ScratchCopy } from '../support/scratch-copy.js';
import { toPostInit } from '../support/post.js';
import { startReadyProgram } from '../support/process.js';
import { run } from '../support/run.js';
import { answerJson, startStudyApi } from '../support/study-api.js';
import { wholeStudy } from '../support/studies.js';

/** Removes one feature from a copy of the sources: its folder, and the lines of gateway.ts that use what it exports. */
function remove(copy: ScratchCopy, feature: string): void {
  rmSync(join(copy.root, 'src/features', feature), { recursive: true });
  copy.edit('src/gateway.ts', (source) => {
    const lines = source.split('\n');
    const names = lines
      .filter((line) => line.includes(`'./features/${feature}/`))
      .flatMap((line) => line.match(/\b[a-z]\w+(?=[, ]*[,}])|(?<=const )\w+/g) ?? []);
    expect(names).not.toEqual([]);
    const isOfFeature = new RegExp(String.raw`\b(${names.join('|')})\b`);
    return lines.filter((line) => !isOfFeature.test(line)).join('\n');
  });
}

it.for(
  allDaily([['sdl'], ['explorer'], ['federation'], ['sdl', 'federation']], [['sdl', 'federation']]),
)(
  'builds and creates a study without %s and their lines in gateway.ts',
  { timeout: 120_000 },
  async (features) => {
    const { url: studyApiUrl, calls } = await startStudyApi(answerJson(wholeStudy));
    const copy = createScratchCopy();
    const { root } = copy;

    for (const feature of features) remove(copy, feature);
    const compiler = 'node_modules/typescript/bin/tsc';
    await run(root, process.execPath, [compiler, '-p', 'tsconfig.build.json']);
    const env = { STUDY_API_URL: studyApiUrl, NODE_COMPILE_CACHE: '' };
    const script = join(root, 'dist/main.js');
    const { url } = await startReadyProgram({ script, cwd: root, env });
    const query = 'mutation { createStudy(input: {}) { id } }';
    const response = await fetch(`${url}/graphql`, toPostInit({ query }));

    expect(await response.json()).toEqual({ data: { createStudy: { id: wholeStudy.id } } });
    expect(calls.map(({ method, url }) => `${method} ${url}`)).toEqual(['POST /studies']);
  },
);
