// Calls the Study API with undici's `request`, for contenders whose documentation leaves the call to the resolver.
import { Pool } from 'undici';
import { studyApiUrl } from './environment.mjs';

const pool = new Pool(studyApiUrl, { connections: 256 });

/** Returns the resolvers of a schema whose context has the caller's `authorization`. */
export const resolvers = {
  Query: {
    study: (_, { id }, context) => ask('GET', `/studies/${id}`, context),
    studies: (_, { size }, context) => ask('GET', `/studies?size=${size}`, context),
  },
  Mutation: {
    createStudy: (_, { input }, context) => ask('POST', '/studies', context, input),
    editStudy: (_, { id, input }, context) => ask('PATCH', `/studies/${id}`, context, input),
  },
};

async function ask(method, path, { authorization }, input) {
  const { statusCode, body } = await pool.request({
    method,
    path,
    headers: { authorization, ...(input && { 'content-type': 'application/json' }) },
    body: input && JSON.stringify(input),
  });
  if (statusCode !== 200) throw new Error(`the Study API answered ${statusCode}`);
  return body.json();
}
