// Runs as it stands, against a payment service of its own that loses answers: node payments.ts
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createClient, idempotent, memoryStore, RestError, type JsonObject } from 'rest-outcome';

/** Stores each payment, and then answers in one of the ways that a network has. */
const stored: string[] = [];
const server = createServer((request, response) => {
  const { id } = /payment-(?<id>\d+)$/.exec(request.url ?? '')?.groups ?? {};
  if (request.method === 'GET') return void response.end(stored[Number(id) - 1]);
  const answer = request.headers['x-answer'];
  if (answer === 'a refusal')
    return void response.writeHead(402).end('{"message":"The card is declined."}');
  const receipt = JSON.stringify({ id: `payment-${stored.length + 1}`, amount: 25 });
  stored.push(receipt);
  if (answer === 'a receipt') return void response.end(receipt);
  if (answer === 'a lost connection') return void request.socket.destroy();
  response.writeHead(201, { 'content-length': receipt.length });
  return void response.write(receipt.slice(0, -2), () => request.socket.destroy());
});
await once(server.listen(0, '127.0.0.1'), 'listening');
const address = server.address();
const port = typeof address === 'object' ? address?.port : undefined;

/** A receipt shows its payment. Any other 2xx proves nothing. */
const readId = ({ id }: JsonObject) => (typeof id === 'string' ? id : undefined);

const api = createClient<string>({
  baseUrl: `http://127.0.0.1:${port}/v1`,
  headers: (_, answer) => ({ authorization: 'Bearer secret', 'x-answer': answer }),
  readRejection: (_, body) => ({ details: [], upstreamMessage: JSON.parse(String(body)).message }),
  keys: idempotent(memoryStore(), {
    read: (id) => ({
      path: `/payments/${id}`,
      template: '/payments/{id}',
      entity: { readId, isAskedFor: (other) => other === id },
    }),
  }),
});

for (const answer of ['a receipt', 'a lost connection', 'half a receipt', 'a refusal']) {
  const key = randomUUID();
  // The second time is what a customer does who saw an error: the key keeps the card from being charged twice.
  for (const time of ['first', 'again']) {
    const ledger = api.openLedger(answer);
    const pay = { method: 'POST', path: '/payments', template: '/payments', entity: { readId } };
    try {
      const paid = await ledger.beginStep('pay', true).write({ ...pay, body: '{"amount":5}', key });
      console.log(`${answer}, ${time}: paid, ${String(paid['id'])}`);
    } catch (error) {
      if (!(error instanceof RestError)) throw error;
      const { outcome, id } = ledger.outcomeOf('pay');
      const facts = [error.code, outcome, id ?? error.upstreamMessage];
      console.log(`${answer}, ${time}: ${facts.filter(Boolean).join(', ')}`);
    }
  }
}
console.log(`${stored.length} payments are stored.`);

await api.close();
server.close();
