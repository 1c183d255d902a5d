import { request, type Agent, type ClientRequest } from 'node:http';

/** What a client knows of a write in the end. */
export type Fate =
  /** Told that it worked, with the study that it sent. */
  | 'SUCCESS'
  /** Told so by an error. */
  | 'NOT_SENT'
  | 'REJECTED'
  | 'APPLIED'
  | 'UNKNOWN'
  /** No connection. */
  | 'REFUSED'
  /** A balancer in front had no answer of a gateway. */
  | 'BAD_GATEWAY'
  /** The connection broke before an answer. */
  | 'BROKEN'
  /** The client hung up on its own after it had sent the whole request, or in the middle of it. */
  | 'LEFT'
  | 'LEFT_EARLY'
  /** Anything else: a defect. */
  | 'UNEXPLAINED';

/** When the client hangs up: with half of its request sent, so many ms after the whole, or never. */
export type Patience = 'half' | number | 'endless';

export interface Client {
  readonly url: string;
  /** `false`: a fresh connection. */
  readonly agent: Agent | false;
  /** The idempotency key of what it writes. */
  readonly key?: string;
}

const operations = [
  'mutation($input: CreateStudyInput!, $key: String) { createStudy(input: $input, idempotencyKey: $key) { id description } }',
  'mutation($input: EditStudyInput!, $key: String) { editStudy(id: "0b9d1f2a-6d55-4a6e-9d5c-0c8f5d1f7a11", input: $input, idempotencyKey: $key) { id description } }',
];

interface Response {
  readonly data?: Record<string, { readonly description: string } | null> | null;
  readonly errors?: readonly { readonly extensions?: { readonly outcome?: Fate } }[];
}

/** Writes one study whose description is unique, and waits for what becomes of it. */
export function write(
  { url, agent, key }: Client,
  description: string,
  patience: Patience = 'endless',
): Promise<Fate> {
  const query = operations[description.charCodeAt(description.length - 1) % operations.length];
  const body = JSON.stringify({ query, variables: { input: { description }, key } });
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
