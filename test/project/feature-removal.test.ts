import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { allDaily } from '../support/daily.js';
import { createScratchCopy, type ScratchCopy } from '../support/scratch-copy.js';
import { toPostInit } from '../support/post.js';
import { answerJson, startStudyApi } from '../support/study-api.js';
import { wholeStudy } from '../support/studies.js';

/** Copies the sources without one feature: its folder, and the lines of gateway.ts that use its exports, are removed. */
function copyWithout(feature: string): ScratchCopy {
  const copy = createScratchCopy();
  rmSync(join(copy.root, 'src/features', feature), { recursive: true });
  copy.edit('src/gateway.ts', (source) => {
    const lines = source.split('\n');
    const imported = lines
      .filter((line) => line.includes(`'./features/${feature}/`))
      .flatMap((line) => line.match(/\b[a-z]\w+(?=[, ]*[,}])/g) ?? []);
    expect(imported).not.toEqual([]);
    const isOfFeature = new RegExp(String.raw`\b(${imported.join('|')})\b`);
    return lines.filter((line) => !isOfFeature.test(line)).join('\n');
  });
  return copy;
}

it.each(allDaily(['sdl', 'explorer'], ['sdl']))(
  'builds and creates a study without features/%s and its lines in gateway.ts',
  { timeout: 120_000 },
  async (feature) => {
    const { url: studyApiUrl, calls } = await startStudyApi(answerJson(wholeStudy));

    const { url } = await copyWithout(feature).start(studyApiUrl);
    const query = 'mutation { createStudy(input: {}) { id } }';
    const response = await fetch(url, toPostInit({ query }));

    expect(await response.json()).toEqual({ data: { createStudy: { id: wholeStudy.id } } });
    expect(calls.map(({ method, url }) => `${method} ${url}`)).toEqual(['POST /studies']);
  },
);
