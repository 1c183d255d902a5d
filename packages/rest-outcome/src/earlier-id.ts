import type { Claimed, Found } from './record.js';

/**
 * Claims a key under its id and under the id that version 0.2 gave it, so that gateways of both versions know the call. Remove in version
 * 0.4, with `earlierIdsMs`: then no key of version 0.2 is left.
 *
 * @param callerId caller of the key, whose id version 0.2 put into its ids
 */
export async function claimBoth(
  claim: (id: string) => Promise<Claimed | Found>,
  [id, earlierId]: readonly [id: string, earlierId: string],
  callerId: string,
  over: string | undefined,
): Promise<Claimed | Found> {
  const found = await claim(id);
  if (found.state !== 'claimed') return found;
  // A key that was claimed over a record gets its record back.
  const giveBack = async (): Promise<void> =>
    over ? found.keep(over, over) : over === undefined ? found.free() : undefined;
  const earlier = await claim(earlierId).catch(async (error: unknown) => {
    await giveBack();
    throw error;
  });
  if (earlier.state !== 'claimed') {
    await giveBack();
    return earlier.state === 'settled' || earlier.state === 'lost'
      ? { ...earlier, callerId }
      : earlier;
  }
  return {
    state: 'claimed',
    async keep(...record) {
      await Promise.all([found.keep(...record), earlier.keep(...record)]);
    },
    async free() {
      await Promise.all([found.free(), earlier.free()]);
    },
  };
}
