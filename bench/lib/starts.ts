import type { Contender } from './contender.ts';
import { startGateway } from './gateway.ts';
import { toSpread, type Spread } from './numbers.ts';
import type { StudyApi } from './study-api.ts';

/** Starts two contenders in turn. Returns the ratios of the times until their first right answers, one for each turn. */
export async function compareStarts(
  contender: Contender,
  base: Contender,
  api: StudyApi,
  turns: number,
): Promise<Spread> {
  const ratios: number[] = [];
  for (let turn = 0; turn < turns; turn++) {
    const own = await startOnce(contender, api);
    ratios.push(own / (await startOnce(base, api)));
  }
  return toSpread(ratios);
}

async function startOnce(contender: Contender, api: StudyApi): Promise<number> {
  const { coldStartMs, program } = await startGateway(contender, api);
  await program.stop();
  return coldStartMs;
}
