// The base of every ratio: a bare Node proxy that parses and writes JSON on both sides, calls by undici's `request` as most
// programs do, and checks nothing. `extensions` of the request name the REST call and the picked fields, where the operation
// is not `createStudy`.
import { createServer } from 'node:http';
import { Pool } from 'undici';
import { port, studyApiUrl } from './environment.mjs';

const pool = new Pool(studyApiUrl, { connections: 256, pipelining: 1 });

createServer((request, response) => void answer(request, response)).listen(port, '127.0.0.1');

// A call that fails ends the program: the benchmark then says so.
async function answer(request, response) {
  const { variables, extensions } = JSON.parse(await readText(request));
  const { field = 'createStudy', method = 'POST', path = '/studies', pick } = extensions ?? {};
  const headers = {
    authorization: request.headers.authorization,
    'content-type': 'application/json',
  };
  const call = { method, path, headers, body: variables?.input && JSON.stringify(variables.input) };
  const study = await (await pool.request(call)).body.json();
  const value = pick ? Object.fromEntries(pick.map((name) => [name, study[name]])) : study;
  const bytes = Buffer.from(JSON.stringify({ data: { [field]: value } }));
  response.writeHead(200, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': bytes.length,
  });
  response.end(bytes);
}

function readText(request) {
  return new Promise((resolve) => {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => resolve(Buffer.concat(chunks).toString()));
  });
}
