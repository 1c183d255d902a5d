import type { Contender } from '../contenders.ts';
import { startGateway } from './gateway.ts';
import { toSpread, type Spread } from './numbers.ts';

/** Starts two contenders in turn. Returns the ratios of the times until their first right answers, one for each turn. */
export async function compareStarts(
  contender: Contender,
  base: Contender,
  apiUrl: string,
  turns: number,
): Promise<Spread> {
  const ratios: number[] = [];
  for (let turn = 0; turn < turns; turn++) {
    const own = await startOnce(contender, apiUrl);
    ratios.push(own / (await startOnce(base, apiUrl)));
  }
  return toSpread(ratios);
}

async function startOnce(contender: Contender, apiUrl: string): Promise<number> {
  const { coldStartMs, program } = await startGateway(contender, apiUrl);
  await program.stop();
  return coldStartMs;
}
