import { expect, it } from 'vitest';
import { CreateStudyDocument } from 'study-gateway-client';
import { runOperation, startReadyProgram } from '../support/process.js';

const ROUNDS = 10;
const AT_ONCE = 64;

it('prevents V8 from allocating objects of requests in the old generation under the first load', async () => {
  const program = await startReadyProgram({ nodeArgs: ['--trace-pretenuring-statistics'] });
  for (let round = 0; round < ROUNDS; round++) {
    const answers = await Promise.all(
      Array.from({ length: AT_ONCE }, () =>
        runOperation(program.url, CreateStudyDocument, { input: {} }),
      ),
    );
    expect(answers.filter(({ data }) => data?.createStudy)).toHaveLength(AT_ONCE);
  }
  program.kill('SIGTERM');

  const { stdout } = await program.exit;
  // V8 prints this line at each garbage collection that looks for objects to pretenure, as while modules are loaded.
  const [beforeReady = '', afterReady = ''] = stdout.split(program.banner);
  expect(beforeReady).toContain('pretenuring:');
  expect(afterReady).toContain('"msg":"operation"');
  expect(afterReady).not.toContain('pretenuring:');
});
