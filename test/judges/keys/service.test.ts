import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { count, createSingle, toWord } from './single.js';
import { toApiKey, useWorld } from './world.fixture.js';

const fields = ['createStudy', 'editStudy'] as const;
const contract = { keys: { header: 'Idempotency-Key' } };
const lost = { cuts: 'request' } as const;

describe('AUTH_MODE=service', { tags: ['redis'] }, () => {
  const [ada, eve] = [`ada-${randomUUID()}`, `eve-${randomUUID()}`];
  const env: Record<string, string> = {
    AUTH_MODE: 'service',
    STUDY_API_TOKEN: 'service.1',
    API_KEYS: [toApiKey('ada', ada), toApiKey('eve', eve)].join(','),
    JWT_ISSUER: 'https://issuer.example',
    JWT_AUDIENCE: 'studies',
  };
  let issuer: Server;
  let sign: (subject: string) => Promise<string>;
  beforeAll(async () => {
    const { publicKey, privateKey } = await generateKeyPair('ES256');
    const jwk = { ...(await exportJWK(publicKey)), kid: 'one', alg: 'ES256', use: 'sig' };
    issuer = createServer((_, response) => void response.end(JSON.stringify({ keys: [jwk] })));
    await new Promise<void>((resolve) => void issuer.listen(0, '127.0.0.1', resolve));
    const { port } = issuer.address() as { port: number };
    env['JWT_JWKS_URL'] = `http://127.0.0.1:${port}/keys`;
    sign = (subject) =>
      new SignJWT({ jti: randomUUID() })
        .setProtectedHeader({ alg: 'ES256', kid: 'one' })
        .setIssuer('https://issuer.example')
        .setAudience('studies')
        .setSubject(subject)
        .setIssuedAt()
        .setExpirationTime('5 minutes')
        .sign(privateKey);
  });
  const world = useWorld({ contract, env });
  afterAll(() => void issuer?.close());

  it.for(fields)('keeps the keys of two callers of %s apart', async (field) => {
    for (const endings of [[], [lost, lost], [lost, {}]]) {
      const single = createSingle(world, field, ...endings);
      // All studies belong to the gateway's own token.
      const other = field === 'editStudy' ? { id: world.api.create('service.1') } : {};
      const [here, there] = world.processes;
      const first = [await single.ask(here!, ada, other), await single.ask(there!, eve, other)];
      const again = [await single.ask(there!, ada, other), await single.ask(here!, eve, other)];

      expect(again.map(toWord)).toEqual(first.map(toWord));
      const ids = first.map(({ study }) => study?.id);
      expect(again.map(({ study }) => study?.id)).toEqual(ids);
      const { writes } = await single.ledger();
      expect(writes.map(({ carried }) => carried)).toEqual([true, true]);
      const [one, two] = writes.map(({ key }) => key);
      expect(one).toBeTruthy();
      expect(two).toBeTruthy();
      expect(one).not.toBe(two);
      // No answer to one caller has an id of the other.
      const [own] = field === 'createStudy' ? ids : [];
      expect(`${ids[1]} ${first[1]!.text} ${again[1]!.text}`).not.toContain(
        own ?? 'mark of nobody',
      );
    }
  });

  it.for(fields)('knows a subject of %s by its renewed token, and no other', async (field) => {
    const single = createSingle(world, field, {}, {});
    const other = field === 'editStudy' ? { id: world.api.create('service.1') } : {};
    const [here, there] = world.processes;
    const first = await single.ask(here!, await sign('ada'), other);
    const again = await single.ask(there!, await sign('ada'), other);
    expect(toWord(first)).toBe('study with id');
    expect(again).toMatchObject({ study: first.study });
    expect(count(await single.ledger())).toBe('1 arrived, 1 carried out, 1 read');

    const eve = await single.ask(there!, await sign('eve'), other);
    expect(toWord(eve)).toBe('study with id');
    const { writes } = await single.ledger();
    expect(writes).toHaveLength(2);
    expect(new Set(writes.map(({ key }) => key)).size).toBe(2);
  });
});
