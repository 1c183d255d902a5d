import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Contract } from 'study-gateway-contract';
import { z } from 'zod';
import { ApiError } from './answers.js';
import type { ApiForm } from './api.form.js';
import { requireOwner, type Owners } from './bearer.auth.js';
import { createListForm } from './list.form.js';
import { parseRequest } from './requests.js';
import { toEditedRecord, toStudy, toStudyRecord } from './study.record.js';
import { uuid, type Study } from './study.schema.js';
import type { StudyStore } from './study.store.js';

/** Dependencies of the routes. */
export interface StudyRoutes {
  readonly contract: Contract;
  readonly form: ApiForm;
  readonly store: StudyStore;
  readonly owners: Owners;
  /** Returns what the API shows of a study to a request. */
  readonly show: (request: FastifyRequest, study: Study) => Readonly<Record<string, unknown>>;
}

// `body`, `path` and `query` are FastAPI's names for the parts of a request, and the first elements of `loc` in a 422.
const path = z.object({ study_id: uuid.toLowerCase() });
const readRequest = z.object({ path });

/** Returns the pattern of a path for Fastify. */
function toPattern(path: string): string {
  return path.replaceAll(':', '::').replace(/\{\w+\}/, ':study_id');
}

/** Adds the operations of the contract. A request sees only the studies of its token's owner. */
export function addStudyRoutes(
  app: FastifyInstance,
  { contract, form, store, owners, show }: StudyRoutes,
): void {
  const { createStudy, studies, editStudy, study } = contract.operations;
  const keyHeader = contract.keys?.header.toLowerCase();
  const createRequest = z.object({ body: form.createBody });
  const editRequest = z.object({ path, body: form.editBody });
  const toItem = (request: FastifyRequest, shown: Study): object =>
    form.toItem(show(request, shown));

  /** Answers a write; one whose key was honoured before is not made again. */
  function write(request: FastifyRequest, reply: FastifyReply, make: () => Study): object {
    const { method, url, body, headers } = request;
    const key = keyHeader === undefined ? undefined : headers[keyHeader];
    const asked = JSON.stringify([method, url, body]);
    const isKeyed = typeof key === 'string';
    const written = isKeyed ? store.once(requireOwner(request, owners), key, asked, make) : make();
    reply.code(form.appliedStatus);
    return form.toAnswer(toItem(request, written));
  }

  app.addHook('onRequest', async (request) => {
    requireOwner(request, owners);
  });

  if (createStudy)
    app.post(toPattern(createStudy.path), async (request, reply) => {
      const owner = requireOwner(request, owners);
      const { body } = parseRequest(createRequest, { body: request.body });
      const record = toStudyRecord(body, new Date());
      return write(request, reply, () => toStudy(store.create(owner, record), record));
    });

  if (studies) {
    const list = createListForm(studies);
    const listRequest = z.object({ query: list.query });
    app.get(toPattern(studies.path), async (request) => {
      const owner = requireOwner(request, owners);
      const { query } = parseRequest(listRequest, { query: request.query });
      const { page, size, projectId } = query;
      const offset = (page - list.firstPage) * size;
      const { studies: found, total } = store.list(owner, projectId, offset, size);
      const items = found.map(({ id, record }) => toItem(request, toStudy(id, record)));
      return form.accept(list.toPage(items, { total, page, size, pages: Math.ceil(total / size) }));
    });
  }

  if (editStudy)
    app.patch(toPattern(editStudy.path), async (request, reply) => {
      const owner = requireOwner(request, owners);
      const { path, body } = parseRequest(editRequest, {
        path: request.params,
        body: request.body,
      });
      return write(request, reply, () => {
        const record = store.update(owner, path.study_id, (stored) => toEditedRecord(stored, body));
        if (!record) throw new ApiError(404, 'Study not found');
        return toStudy(path.study_id, record);
      });
    });

  if (study)
    app.get(toPattern(study.path), async (request) => {
      const owner = requireOwner(request, owners);
      const { path } = parseRequest(readRequest, { path: request.params });
      const record = store.find(owner, path.study_id);
      if (!record) throw new ApiError(404, 'Study not found');
      return form.toAnswer(toItem(request, toStudy(path.study_id, record)));
    });
}
