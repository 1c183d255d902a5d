import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ApiError } from './answers.js';
import { bearerToken } from './bearer.js';
import type { Study } from './schema.js';

/** A faulty behaviour of the emulator, which a client selects by its bearer token. */
export interface Scenario {
  readonly token: string;
  readonly description: string;
}

interface Behaviour extends Scenario {
  /** Returns the error answer to every request. The answer is sent before the body is read; nothing is stored. */
  readonly refusal?: (request: FastifyRequest) => ApiError;
  /** True if the emulator never answers, and stores nothing. */
  readonly hangs?: boolean;
  /** True if the emulator makes a write, then destroys the connection instead of sending a success. */
  readonly cuts?: boolean;
  /** True if the interviews of a new study begin. */
  readonly runs?: boolean;
  /** Returns the object that replaces a study in a success. */
  readonly drift?: (study: Study) => Readonly<Record<string, unknown>>;
}

/** The behaviours, in the order in which the documents list them. */
const behaviours: readonly Behaviour[] = [
  refusing(
    'Answers 401, as for a token that has expired.',
    new ApiError(401, 'Invalid token', { 'www-authenticate': 'Bearer' }),
  ),
  refusing('Answers 403.', new ApiError(403, 'Not enough permissions')),
  refusing('Answers 404, to a create as well.', new ApiError(404, 'Study not found')),
  refusing('Answers 409.', new ApiError(409, 'The study was changed by somebody else')),
  {
    token: 'demo-422',
    description: 'Answers 422 for projectId, or for study_id when reading. Nothing is stored.',
    refusal: ({ method }) => {
      const loc = method === 'GET' ? ['path', 'study_id'] : ['body', 'projectId'];
      const msg = 'Value error, this token refuses every value';
      return new ApiError(422, [{ type: 'value_error', loc, msg, input: null }]);
    },
  },
  refusing(
    'Answers 429 with Retry-After: 7 seconds.',
    new ApiError(429, 'Too many requests', { 'retry-after': '7' }),
  ),
  refusing('Answers 500.', new ApiError(500, 'Internal Server Error')),
  refusing(
    'Answers 503 with Retry-After: 30 seconds.',
    new ApiError(503, 'Service Unavailable', { 'retry-after': '30' }),
  ),
  { token: 'demo-hang', description: 'Never answers. Nothing is stored.', hangs: true },
  {
    token: 'demo-cut',
    description:
      'Stores the study, then cuts the connection without an answer. Reads are answered.',
    cuts: true,
  },
  {
    token: 'demo-running',
    description:
      'Stores the study, and runs its interviews: status and progress advance for a few seconds.',
    runs: true,
  },
  {
    token: 'demo-drift-missing',
    description: 'Stores the study, then answers without the required field audiences.',
    drift: (study) => ({ ...study, audiences: undefined }),
  },
  {
    token: 'demo-drift-strategy',
    description: 'Stores the study, then answers with its strategy in an array.',
    drift: (study) => ({ ...study, strategy: [study.strategy] }),
  },
];

export const scenarios: readonly Scenario[] = behaviours.map(({ token, description }) => ({
  token,
  description,
}));

/** Returns the scenario that answers every request with `error`; its token has the status. */
function refusing(description: string, error: ApiError): Behaviour {
  const token = `demo-${error.status}`;
  return { token, description: `${description} Nothing is stored.`, refusal: () => error };
}

/**
 * Adds the scenarios to the routes of `app`, and their tokens to `owners`.
 *
 * @param owner token whose studies the scenarios read and write, so that edits of existing studies can fail too
 */
export function addScenarios(
  app: FastifyInstance,
  owners: Map<string, string>,
  owner: string,
): void {
  for (const { token } of scenarios) owners.set(token, owner);

  // Fastify never answers a request whose hook does not call `done`; close() destroys the connection.
  app.addHook('onRequest', (request, _reply, done) => {
    const scenario = scenarioOf(request);
    if (!scenario?.hangs) done(scenario?.refusal?.(request));
  });

  app.addHook('onSend', async (request, reply, payload) => {
    const isWrite = request.method !== 'GET';
    if (!isWrite || !scenarioOf(request)?.cuts || reply.statusCode >= 300) return payload;
    reply.hijack();
    request.raw.socket.destroy();
    return payload;
  });
}

/** Returns what the scenario of a request shows of a study. */
export function toShown(request: FastifyRequest, study: Study): Readonly<Record<string, unknown>> {
  return scenarioOf(request)?.drift?.(study) ?? study;
}

/** Returns whether the interviews of a study begin when the request creates the study. */
export function isRunning(request: FastifyRequest): boolean {
  return scenarioOf(request)?.runs ?? false;
}

function scenarioOf(request: FastifyRequest): Behaviour | undefined {
  const token = bearerToken(request);
  return behaviours.find((scenario) => scenario.token === token);
}
