import { hash } from 'node:crypto';
import { request, type Agent, type ClientRequest } from 'node:http';

/** What a client knows about a write after its request has ended. */
export type Fate =
  /** The response contains the written study. */
  | 'SUCCESS'
  /** The outcome in the response's error, like `REJECTED`, `APPLIED` and `UNKNOWN`. */
  | 'NOT_SENT'
  | 'REJECTED'
  | 'APPLIED'
  | 'UNKNOWN'
  /** The server refused the connection. */
  | 'REFUSED'
  /** The load balancer in front of the gateways answered 502. */
  | 'BAD_GATEWAY'
  /** The connection broke before the end of the response. */
  | 'BROKEN'
  /** The client disconnected after it had sent the whole request. */
  | 'LEFT'
  /** The client disconnected in the middle of sending the request. */
  | 'LEFT_EARLY'
  /** Any other result, which is a defect. */
  | 'UNEXPLAINED';

/** When the client disconnects: after half of the request, this many ms after sending all of it, or never. */
export type Patience = 'half' | number | 'endless';

export interface Client {
  readonly url: string;
  /** Pool of kept-alive connections; `false` opens a new connection for each write. */
  readonly agent: Agent | false;
  /** Idempotency key of the client's writes. */
  readonly key?: string;
}

const operations = [
  'mutation($input: CreateStudyInput!, $key: UUID) { createStudy(input: $input, idempotencyKey: $key) { id description } }',
  'mutation($input: EditStudyInput!, $key: UUID, $id: UUID!) { editStudy(id: $id, input: $input, idempotencyKey: $key) { id description } }',
];

interface Response {
  readonly data?: Record<string, { readonly description: string } | null> | null;
  readonly errors?: readonly { readonly extensions?: { readonly outcome?: Fate } }[];
}

/** Creates or edits a study with a unique description, and returns the fate of this write. */
export function write(
  { url, agent, key }: Client,
  description: string,
  patience: Patience = 'endless',
): Promise<Fate> {
  const query = operations[description.charCodeAt(description.length - 1) % operations.length];
  // Each edit has a study of its own: a repeat with a key reads the study as it is then.
  const id = `00000000-0000-4000-8000-${hash('sha256', description).slice(0, 12)}`;
  const body = JSON.stringify({ query, variables: { input: { description }, key, id } });
  const call = request(`${url}/graphql`, {
    method: 'POST',
    agent,
    headers: {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      authorization: 'Bearer load-token',
    },
  });
  if (patience === 'half') call.write(body.slice(0, body.length / 2), () => call.destroy());
  else call.end(body);
  if (typeof patience === 'number') hangUpAfter(call, patience);

  return new Promise((resolve) => {
    call.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED') resolve('REFUSED');
      else if (patience === 'half') resolve('LEFT_EARLY');
      else resolve(patience === 'endless' ? 'BROKEN' : 'LEFT');
    });
    call.on('response', (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => (text += part));
      const isBadGateway = response.statusCode === 502;
      response.on('end', () => resolve(isBadGateway ? 'BAD_GATEWAY' : toFate(text, description)));
      response.on('error', () => resolve(patience === 'endless' ? 'BROKEN' : 'LEFT'));
    });
  });
}

function hangUpAfter(call: ClientRequest, ms: number): void {
  const timer = setTimeout(() => call.destroy(), ms);
  call.once('close', () => clearTimeout(timer));
}

function toFate(text: string, description: string): Fate {
  const { data, errors = [] } = JSON.parse(text) as Response;
  const outcome = errors[0]?.extensions?.outcome;
  if (outcome) return outcome;
  const [study] = Object.values(data ?? {});
  return study?.description === description ? 'SUCCESS' : 'UNEXPLAINED';
}
