import Fastify, { type FastifyInstance } from 'fastify';
import { expect, test } from 'vitest';
import { addBatchedAnswers } from '../src/http/batched-answers.plugin.js';

/** In what order two requests of one turn are handled and answered. */
async function record(app: FastifyInstance): Promise<string[]> {
  const order: string[] = [];
  app.get('/:name', (request, reply) => {
    const { url } = request;
    order.push(`${url} handled`);
    reply.raw.once('prefinish', () => order.push(`${url} written`));
    void reply.send('an answer');
  });
  const answers = await Promise.all([app.inject('/a'), app.inject('/b')]);
  expect(answers.map(({ statusCode, body }) => [statusCode, body])).toEqual([
    [200, 'an answer'],
    [200, 'an answer'],
  ]);
  await app.close();
  return order;
}

test('answers wait until the other requests of their turn have been handled', async () => {
  const app = Fastify();
  addBatchedAnswers(app);
  expect(await record(app)).toEqual(['/a handled', '/b handled', '/a written', '/b written']);
});

test('Fastify alone writes each one at once', async () => {
  expect(await record(Fastify())).toEqual(['/a handled', '/a written', '/b handled', '/b written']);
});
