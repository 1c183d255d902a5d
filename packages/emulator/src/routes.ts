import type { FastifyInstance, FastifyRequest } from 'fastify';
import * as z from 'zod';
import { ApiError } from './answers.js';
import { requireOwner, type Owners } from './bearer.js';
import { toEditedRecord, toRunning, toStudy, toStudyRecord } from './record.js';
import { parseRequest } from './requests.js';
import { isRunning } from './scenarios.js';
import { createStudySchema, editStudySchema, uuid, type Study } from './schema.js';
import type { StudyStore } from './store.js';

/** Dependencies of the routes. */
export interface StudyRoutes {
  readonly store: StudyStore;
  readonly owners: Owners;
  /** Returns what the API shows of a study to a request. */
  readonly show: (request: FastifyRequest, study: Study) => Readonly<Record<string, unknown>>;
}

/** A comma-separated list of UUIDs in a query string. */
const uuids = z
  .string()
  .transform((text) => text.split(','))
  .pipe(z.array(uuid));

// `body`, `path` and `query` are FastAPI's names for the parts of a request, and the first elements of `loc` in a 422.
const path = z.object({ study_id: uuid.toLowerCase() });
const createRequest = z.object({ body: createStudySchema });
const editRequest = z.object({ path, body: editStudySchema });
const readRequest = z.object({ path });
const listRequest = z.object({
  query: z.object({
    page: z.coerce.number().pipe(z.int32().min(1)).default(1),
    size: z.coerce.number().pipe(z.int32().min(1).max(100)).default(50),
    projectId: uuids.optional(),
  }),
});

const studyPath = '/studies/:study_id';

/** Adds the operations. A request sees only the studies of its token's owner. */
export function addStudyRoutes(app: FastifyInstance, { store, owners, show }: StudyRoutes): void {
  app.addHook('onRequest', async (request) => {
    requireOwner(request, owners);
  });

  app.post('/studies', async (request) => {
    const owner = requireOwner(request, owners);
    const { body } = parseRequest(createRequest, { body: request.body });
    const record = toStudyRecord(body, new Date());
    const isStarted = isRunning(request);
    const id = store.create(owner, record, isStarted);
    return show(request, toStudy(id, isStarted ? toRunning(record, 0) : record));
  });

  app.get('/studies', async (request) => {
    const owner = requireOwner(request, owners);
    const { query } = parseRequest(listRequest, { query: request.query });
    const { page, size, projectId } = query;
    const { studies, total } = store.list(owner, projectId, (page - 1) * size, size);
    const items = studies.map(({ id, record }) => show(request, toStudy(id, record)));
    return { items, total, page, size, pages: Math.ceil(total / size) };
  });

  app.patch(studyPath, async (request) => {
    const owner = requireOwner(request, owners);
    const asked = { path: request.params, body: request.body };
    const { path, body } = parseRequest(editRequest, asked);
    const record = store.update(owner, path.study_id, (stored) => toEditedRecord(stored, body));
    if (!record) throw new ApiError(404, 'Study not found');
    return show(request, toStudy(path.study_id, record));
  });

  app.get(studyPath, async (request) => {
    const owner = requireOwner(request, owners);
    const { path } = parseRequest(readRequest, { path: request.params });
    const record = store.find(owner, path.study_id);
    if (!record) throw new ApiError(404, 'Study not found');
    return show(request, toStudy(path.study_id, record));
  });
}
