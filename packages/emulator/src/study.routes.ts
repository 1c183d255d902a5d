import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { ApiError } from './answers.js';
import { requireOwner, type Owners } from './bearer.auth.js';
import { parseRequest } from './requests.js';
import { toEditedRecord, toStudy, toStudyRecord } from './study.record.js';
import { createStudySchema, editStudySchema, uuid, type StudyPage } from './study.schema.js';
import type { StudyStore } from './study.store.js';

/** An integer in a query string, of at most nine digits. */
const integerText = z.stringFormat('integer-text', /^[+-]?\d{1,9}$/).transform(Number);

/** A comma-separated list of UUIDs in a query string. */
const uuidsText = z
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
    page: integerText.pipe(z.int().min(1)).default(1),
    size: integerText.pipe(z.int().min(1).max(100)).default(50),
    projectId: uuidsText.optional(),
  }),
});

/** Adds the routes that create, edit, read and list studies. A request sees only the studies of its token's owner. */
export function addStudyRoutes(app: FastifyInstance, store: StudyStore, owners: Owners): void {
  app.addHook('onRequest', async (request) => {
    requireOwner(request, owners);
  });

  app.post('/studies', async (request) => {
    const owner = requireOwner(request, owners);
    const { body } = parseRequest(createRequest, { body: request.body });
    const record = toStudyRecord(body, new Date());
    return toStudy(store.create(owner, record), record);
  });

  app.get('/studies', async (request): Promise<StudyPage> => {
    const owner = requireOwner(request, owners);
    const { query } = parseRequest(listRequest, { query: toQuery(request.query) });
    const { page, size, projectId } = query;
    const { studies, total } = store.list(owner, projectId, (page - 1) * size, size);
    const items = studies.map(({ id, record }) => toStudy(id, record));
    return { items, total, page, size, pages: Math.ceil(total / size) };
  });

  app.patch('/studies/:study_id', async (request) => {
    const owner = requireOwner(request, owners);
    const { path, body } = parseRequest(editRequest, { path: request.params, body: request.body });
    const record = store.update(owner, path.study_id, (stored) => toEditedRecord(stored, body));
    if (!record) throw new ApiError(404, 'Study not found');
    return toStudy(path.study_id, record);
  });

  app.get('/studies/:study_id', async (request) => {
    const owner = requireOwner(request, owners);
    const { path } = parseRequest(readRequest, { path: request.params });
    const record = store.find(owner, path.study_id);
    if (!record) throw new ApiError(404, 'Study not found');
    return toStudy(path.study_id, record);
  });
}

/** Returns the query parameters as FastAPI reads them: of a repeated parameter, the last value counts. */
function toQuery(query: unknown): object {
  return Object.fromEntries(
    Object.entries(Object(query)).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.at(-1) : value,
    ]),
  );
}
