// @module-tag redis

import { expect, it, onTestFinished } from 'vitest';
import { createRedisServer } from '../support/redis.js';
import { startTestGateway } from '../support/gateway.js';

it('disconnects from Redis when a later step of its start fails', async () => {
  const redis = await createRedisServer();
  onTestFinished(() => redis.remove());
  await redis.start();

  // Fastify refuses this value at a time when the gateway is already connected to Redis.
  const gateway = startTestGateway({ redisUrl: redis.url, maxBodyBytes: -1 });

  await expect(gateway).rejects.toThrow('bodyLimit');
  // Only the connection of this command is left.
  await expect
    .poll(async () =>
      String(await redis.command('CLIENT', 'LIST'))
        .trim()
        .split('\n'),
    )
    .toHaveLength(1);
  expect(await redis.command('INFO', 'stats')).toMatch(/^total_connections_received:(?![012]\r)/m);
});
