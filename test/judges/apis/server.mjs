import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';

/** Fields of a study, and the kind of each; a generator prints a kind in its own way. */
const kinds = {
  id: 'uuid',
  description: 'text?',
  projectId: 'uuid',
  createdAt: 'date',
  bookmarked: 'boolean',
  language: 'text',
  audiences: 'texts',
  audiencesObj: 'objects',
  problems: 'texts',
  problemsObj: 'objects',
  files: 'texts',
  planId: 'text?',
  progress: 'progress',
  status: 'text',
  solutionId: 'uuid?',
  solution: 'object?',
  researchGoalId: 'uuid?',
  researchGoal: 'object?',
  knowledgeGraphs: 'texts',
  strategy: 'text',
  interviewCount: 'integer?',
  interviews: 'texts',
  summaries: 'texts',
};

export const answered = Object.keys(kinds);
const made = new Set([
  'id',
  'audiencesObj',
  'problemsObj',
  'planId',
  'solution',
  'researchGoal',
  'summaries',
]);
/** The sixteen fields of a create, and the thirteen of an edit. */
export const createFields = answered.filter((field) => !made.has(field));
export const editFields = createFields.filter(
  (field) => !['problems', 'solutionId', 'researchGoalId'].includes(field),
);

export const without = (fields, absent = []) => fields.filter((field) => !absent.includes(field));
export const toSnake = (name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const same = (name) => name;

/** Schemas of the kinds, as most generators print them. */
const schemas = {
  uuid: { type: 'string', format: 'uuid' },
  text: { type: 'string' },
  date: { type: 'string', format: 'date-time' },
  boolean: { type: 'boolean' },
  texts: { type: 'array', items: { type: 'string' } },
  objects: { type: 'array', items: { type: 'object' } },
  object: { type: 'object' },
  integer: { type: 'integer' },
};
const toNullable = (schema) => ({ ...schema, nullable: true });

export const toTyped = (schema, ...names) => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, schema])),
});
/** Schema of the three integers of a progress. */
export const toProgress = (integer = schemas.integer) =>
  toTyped(integer, 'total', 'completed', 'failed');

/** Returns a function that prints the schema of an object with some fields of a study. */
export function createPrint(own, { nullable = toNullable, toName = same } = {}) {
  const all = { ...schemas, progress: toProgress(), ...own };
  return (fields, required) => {
    const properties = fields.map((field) => {
      const [kind, isNullable] = kinds[field].split('?');
      return [toName(field), isNullable === '' ? nullable(all[kind]) : all[kind]];
    });
    return {
      type: 'object',
      properties: Object.fromEntries(properties),
      ...(required && { required: required.map(toName) }),
    };
  };
}

/** Paths of a document with the usual operations. `common` is in each, and `more` has others on one study. */
export const toPaths = ({
  path,
  one,
  id,
  query,
  page,
  create,
  created,
  edit,
  study,
  common,
  more,
}) => ({
  [path]: {
    get: { ...common, parameters: query, responses: page },
    post: { ...common, requestBody: create, responses: created ?? study },
  },
  [one]: {
    get: { ...common, parameters: [id], responses: study },
    patch: { ...common, parameters: [id], requestBody: edit, responses: study },
    ...more,
  },
});

/** Two projects of thirteen and seven studies. */
export const projects = [
  '11111111-1111-4111-8111-111111111111',
  '22222222-2222-4222-8222-222222222222',
];
export const unknownId = '99999999-9999-4999-8999-999999999999';
export const token = 'team-token';
/** Accepted too: a write with this token is stored, and then its connection is cut. */
export const cutToken = 'cut-token';

function toStudy(input, id = randomUUID()) {
  const { audiences = [], problems = [] } = input;
  return {
    id,
    description: null,
    createdAt: '2026-03-01T09:30:00.000Z',
    bookmarked: false,
    language: 'en',
    files: [],
    planId: 'plan-7',
    progress: { total: 0, completed: 0, failed: 0 },
    status: 'draft',
    solutionId: null,
    researchGoalId: null,
    knowledgeGraphs: [],
    strategy: 'concept_study',
    interviewCount: 0,
    interviews: [],
    ...input,
    audiences,
    audiencesObj: audiences.map((name) => ({ name })),
    problems,
    problemsObj: problems.map((title) => ({ title })),
    solution: input.solutionId ? { id: input.solutionId } : null,
    researchGoal: input.researchGoalId ? { id: input.researchGoalId } : null,
    summaries: ['They leave early.'],
  };
}

function seed() {
  const studies = Array.from({ length: 20 }, (_, index) => {
    const projectId = projects[index < 13 ? 0 : 1];
    return toStudy({ projectId, description: `Study ${index + 1}` });
  });
  return new Map(studies.map((study) => [study.id, study]));
}

/**
 * Starts the Study API of a framework: it stores studies, and keeps a ledger of all writes. `faults.ignores` makes it
 * ignore the query parameters `page` or `project`, the `token`, or the `description` of a write, and `faults.broken` makes
 * it nest each item of a list under a name that its document does not have.
 */
export async function startApi(framework) {
  const studies = seed();
  const ledger = [];
  const faults = { ignores: [], broken: false };
  const names = framework.toName ?? same;
  const toFields = (study) => {
    const fields = framework.answered ?? answered;
    return Object.fromEntries(fields.map((field) => [names(field), study[field]]));
  };

  function list(query) {
    const { page: pageName, size: sizeName, project } = framework.parameters;
    const first = framework.firstPage ?? 1;
    const page = faults.ignores.includes('page') ? first : Number(query.get(pageName) ?? first);
    const size = Math.min(Number(query.get(sizeName) ?? 10), framework.maxSize ?? 100);
    const values = query.getAll(project);
    const isOne = framework.projects === 'one' || framework.projects === 'repeated';
    if (isOne && values.some((value) => value.includes(','))) return framework.refusesProjects;
    const wanted =
      framework.projects === 'one' ? values.slice(-1) : values.flatMap((value) => value.split(','));
    const filters = wanted.length > 0 && !faults.ignores.includes('project');
    const found = [...studies.values()].filter((study) => {
      return !filters || wanted.includes(study.projectId);
    });
    const from = (page - first) * size;
    const pages = Math.ceil(found.length / size);
    if (framework.refusesPage && page > Math.max(pages, 1)) return framework.refusesPage;
    const items = found.slice(from, from + size).map((study) => {
      return faults.broken ? { entry: toFields(study) } : framework.toItem(toFields(study));
    });
    return [200, framework.toPage(items, { page, size, total: found.length, pages, query })];
  }

  function toInput(body, id) {
    const fields = framework.toInput ? framework.toInput(body, id) : body;
    if (Array.isArray(fields)) return { refusal: fields };
    const accepted = id === undefined ? framework.creates : framework.edits;
    const known = new Map(accepted.map((field) => [names(field), field]));
    const input = {};
    for (const [name, value] of Object.entries(fields)) {
      const field = known.get(name);
      if (field !== undefined) input[field] = value;
      else if (framework.refusesUnknown) return { refusal: framework.invalid(name, 'unknown') };
    }
    if (id === undefined) {
      const missing = (framework.required ?? []).find((field) => input[field] === undefined);
      if (missing) return { refusal: framework.invalid(names(missing), 'required') };
    }
    const { interviewCount = 0 } = input;
    if (interviewCount !== null && interviewCount < 0)
      return { refusal: framework.invalid(names('interviewCount'), 'min') };
    return { input };
  }

  function write(method, id, body) {
    const entry = { method, id, body, stored: false };
    ledger.push(entry);
    const old = id === undefined ? undefined : studies.get(id);
    if (id !== undefined && !old) return framework.notFound('edit', id);
    const { input, refusal } = toInput(body, id);
    if (refusal) return refusal;
    if (faults.ignores.includes('description')) delete input.description;
    const study = toStudy({ ...old, ...input }, id);
    studies.set(study.id, study);
    Object.assign(entry, { id: study.id, stored: true });
    return [
      id === undefined ? (framework.created ?? 200) : 200,
      framework.toAnswer(toFields(study)),
    ];
  }

  async function answer(request, url) {
    const collection = `${framework.base}${framework.path}`;
    const [, id] = new RegExp(`^${collection}(?:${framework.item})?$`).exec(url.pathname) ?? [null];
    const { method } = request;
    const isRoute = url.pathname.startsWith(collection.replace(/\/$/, '')) && id !== null;
    if (!isRoute) return framework.noRoute(method, url.pathname);
    const isKnown = [token, cutToken].some(
      (known) => request.headers.authorization === `Bearer ${known}`,
    );
    if (!isKnown && !faults.ignores.includes('token'))
      return framework.unauthorized(request.headers.authorization !== undefined);
    if (method === 'GET' && id === undefined) return list(url.searchParams);
    if (method === 'GET' && framework.reads !== false) {
      const study = studies.get(id);
      return study ? [200, framework.toAnswer(toFields(study))] : framework.notFound('read', id);
    }
    if (method === 'POST' && id === undefined) return write(method, id, await readJson(request));
    if (method === 'PATCH' && id !== undefined) return write(method, id, await readJson(request));
    return framework.noRoute(method, url.pathname);
  }

  const respond = async (request, response) => {
    const url = new URL(request.url, origin);
    if (url.pathname === framework.documentPath) {
      const text = framework.document(origin, request.headers.accept);
      const isYaml = !text.startsWith('{');
      response.setHeader('content-type', isYaml ? 'application/yaml' : 'application/json');
      response.end(text);
      return;
    }
    const [status, body, headers = {}] = await answer(request, url);
    const isWrite = request.method !== 'GET';
    if (isWrite && request.headers.authorization === `Bearer ${cutToken}`) {
      request.socket.destroy();
      return;
    }
    const isHtml = typeof body === 'string';
    const type = isHtml ? 'text/html; charset=utf-8' : (framework.type ?? 'application/json');
    response.writeHead(status, {
      ...(body === undefined ? {} : { 'content-type': type }),
      ...headers,
    });
    response.end(isHtml || body === undefined ? body : JSON.stringify(body));
  };
  const server = createServer((request, response) => void respond(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${server.address().port}`;
  const close = async () => {
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  };
  const documentUrl = `${origin}${framework.documentPath}`;
  return { origin, documentUrl, base: framework.base, studies, ledger, faults, close };
}

async function readJson(request) {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += chunk;
  return JSON.parse(text);
}
