import { cacheExchange, Client, fetchExchange, type OperationResult } from '@urql/core';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  CreateStudyDocument,
  EditStudyDocument,
  StudiesDocument,
  type StudiesQuery,
  type StudiesQueryVariables,
} from 'study-gateway-client';
import { startTestEmulator } from '../support/emulator.js';
import { startTestGateway } from '../support/gateway.js';

/** urql with its document cache, as packages/client/README.md describes it, in front of a gateway and an emulator. */
async function startClient() {
  const emulator = await startTestEmulator();
  const { url } = await startTestGateway({ studyApiUrl: emulator.url });
  const client = new Client({
    url: `${url}/graphql`,
    exchanges: [cacheExchange, fetchExchange],
    fetchOptions: { headers: { authorization: `Bearer ${emulator.token}` } },
    preferGetMethod: false,
  });
  return { client, emulator };
}

/** A page on the screen: what it shows from time to time. */
function show(client: Client, variables: StudiesQueryVariables): (string | null | undefined)[][] {
  const seen: (string | null | undefined)[][] = [];
  const subscription = client
    .query(StudiesDocument, variables, { additionalTypenames: ['Study'] })
    .subscribe(({ data, stale }: OperationResult<StudiesQuery>) => {
      if (!stale) seen.push(data?.studies?.items?.map((study) => study?.description) ?? []);
    });
  onTestFinished(() => subscription.unsubscribe());
  return seen;
}

describe("urql's document cache", () => {
  it('reads every page on the screen again after a create', async () => {
    const { client, emulator } = await startClient();
    for (const description of ['1', '2', '3']) await emulator.create({ description });
    const first = show(client, { page: 1, size: 2 });
    const second = show(client, { page: 2, size: 2 });
    await expect.poll(() => [first, second]).toEqual([[['3', '2']], [['1']]]);

    await client.mutation(CreateStudyDocument, { input: { description: '4' } });

    await expect
      .poll(() => [first.at(-1), second.at(-1)])
      .toEqual([
        ['4', '3'],
        ['2', '1'],
      ]);
  });

  it('reads an empty page again after a create', async () => {
    const { client } = await startClient();
    const page = show(client, { page: 1, size: 2 });
    await expect.poll(() => page).toEqual([[]]);

    await client.mutation(CreateStudyDocument, { input: { description: '1' } });

    await expect.poll(() => page).toEqual([[], ['1']]);
  });

  it('reads a page that is no longer on the screen again when somebody comes back after an edit', async () => {
    const { client, emulator } = await startClient();
    const { id } = await emulator.create({ description: '1' });
    const read = () => client.query(StudiesDocument, { page: 1 }).toPromise();
    await read();
    await client.mutation(EditStudyDocument, { id, input: { description: 'first' } });

    const { data } = await read();

    expect(data?.studies?.items).toMatchObject([{ description: 'first' }]);
  });
});
