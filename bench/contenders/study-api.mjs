// Calls the Study API with undici's `request`, for contenders whose documentation leaves the call to the resolver.
import { Pool } from 'undici';
import { studyApiUrl } from './environment.mjs';

const pool = new Pool(studyApiUrl, { connections: 256 });

export async function createStudy(input, authorization) {
  const { statusCode, body } = await pool.request({
    method: 'POST',
    path: '/studies',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify(input),
  });
  if (statusCode !== 200) throw new Error(`the Study API answered ${statusCode}`);
  return body.json();
}
