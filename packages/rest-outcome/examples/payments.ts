// Runs as it stands, against a payment service of its own that loses answers: node payments.ts
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createClient, idempotent, memoryStore, RestError, type JsonObject } from 'rest-outcome';

/** Stores each payment, and then answers in one of the ways that a network has. */
const stored: string[] = [];
const answers = ['a receipt', 'a lost connection', 'half a receipt', 'a refusal'] as const;
const server = createServer((request, response) => {
  const { id } = /payment-(?<id>\d+)$/.exec(request.url ?? '')?.groups ?? {};
  if (request.method === 'GET') return void response.end(stored[Number(id) - 1]);
  const answer = answers[Number(request.headers['x-answer'])];
  if (answer === 'a refusal')
    return void response.writeHead(402).end('{"message":"The card is declined."}');
  const receipt = JSON.stringify({ id: `payment-${stored.length + 1}`, amount: 25 });
  stored.push(receipt);
  if (answer === 'a receipt') return void response.end(receipt);
  if (answer === 'a lost connection') return void request.socket.destroy();
  response.writeHead(201, { 'content-length': receipt.length });
  return void response.write(receipt.slice(0, -2), () => request.socket.destroy());
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const address = server.address();
const port = typeof address === 'object' ? address?.port : undefined;

interface Customer {
  readonly callerId: string;
  readonly answer: number;
}

/** A receipt shows its payment. Any other 2xx proves nothing. */
const readId = ({ id }: JsonObject): string | undefined =>
  typeof id === 'string' ? id : undefined;

const api = createClient<Customer>({
  baseUrl: `http://127.0.0.1:${port}/v1`,
  deadlineMs: 2_000,
  headers: (_, { answer }) => ({ authorization: 'Bearer secret', 'x-answer': String(answer) }),
  readRejection: (_, body) => ({ details: [], upstreamMessage: JSON.parse(String(body)).message }),
  keys: idempotent<Customer>(memoryStore(), {
    scope: ({ callerId }) => callerId,
    read: (id) => ({
      path: `/payments/${id}`,
      template: '/payments/{id}',
      entity: { readId, isAskedFor: (other) => other === id },
    }),
  }),
});

for (const [answer, name] of answers.entries()) {
  const key = randomUUID();
  // The second time is what a customer does who saw an error: the key keeps the card from being charged twice.
  for (const time of ['first', 'again']) {
    const ledger = api.begin({ callerId: 'alice', answer });
    try {
      const payment = await ledger.begin('pay', true).write({
        method: 'POST',
        path: '/payments',
        template: '/payments',
        body: JSON.stringify({ amount: 25 }),
        key,
        entity: { readId },
      });
      console.log(`${name}, ${time}: paid, ${String(payment['id'])}`);
    } catch (error) {
      if (!(error instanceof RestError)) throw error;
      const { outcome, id } = ledger.outcomeOf('pay');
      const facts = [error.code, outcome, id ?? error.upstreamMessage];
      console.log(`${name}, ${time}: ${facts.filter(Boolean).join(', ')}`);
    } finally {
      ledger.end();
    }
  }
}
console.log(`${stored.length} payments are stored.`);

await api.close();
server.close();
