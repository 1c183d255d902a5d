import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { ApiError } from './api.error.js';
import { requireToken } from './bearer.auth.js';
import { uuid } from './field.schema.js';
import { parseRequest } from './problem.schema.js';
import { toEditedRecord, toStudy, toStudyRecord } from './study.record.js';
import { createStudySchema, editStudySchema } from './study.schema.js';
import type { StudyStore } from './study.store.js';

// The keys are FastAPI's names for the parts of a request: they become the first element of `loc`.
const path = z.object({ study_id: uuid });
const createRequest = z.object({ body: createStudySchema });
const editRequest = z.object({ path, body: editStudySchema });
const readRequest = z.object({ path });

/** The document's two operations and the reference's read; each knows only its own token's studies. */
export function addStudyRoutes(
  app: FastifyInstance,
  store: StudyStore,
  tokens: ReadonlySet<string>,
): void {
  app.addHook('onRequest', async (request) => {
    requireToken(request, tokens);
  });

  app.post('/studies', async (request) => {
    const token = requireToken(request, tokens);
    const { body } = parseRequest(createRequest, { body: request.body });
    const record = toStudyRecord(body, new Date());
    return toStudy(store.create(token, record), record);
  });

  app.patch('/studies/:study_id', async (request) => {
    const token = requireToken(request, tokens);
    const { path, body } = parseRequest(editRequest, { path: request.params, body: request.body });
    const id = path.study_id.toLowerCase();
    const record = store.update(token, id, (stored) => toEditedRecord(stored, body));
    if (!record) throw notFound();
    return toStudy(id, record);
  });

  app.get('/studies/:study_id', async (request) => {
    const token = requireToken(request, tokens);
    const { path } = parseRequest(readRequest, { path: request.params });
    const id = path.study_id.toLowerCase();
    const record = store.find(token, id);
    if (!record) throw notFound();
    return toStudy(id, record);
  });
}

function notFound(): ApiError {
  return new ApiError(404, 'Study not found');
}
