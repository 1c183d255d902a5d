// The baseline: a bare Node hop that parses and writes JSON on both sides, and checks nothing. `extensions` of the request
// name the REST call and the picked fields, where the operation is not the usual `createStudy`.
import { createServer } from 'node:http';
import { Pool } from 'undici';
import { port, studyApiUrl } from './environment.mjs';

const pool = new Pool(studyApiUrl, { connections: 256, pipelining: 1 });

createServer((request, response) => {
  readText(request, (text) => {
    const { variables, extensions } = JSON.parse(text);
    const { field = 'createStudy', method = 'POST', path = '/studies', pick } = extensions ?? {};
    const { authorization } = request.headers;
    ask({ authorization, method, path, input: variables?.input }, (study) => {
      const value = pick ? Object.fromEntries(pick.map((name) => [name, study[name]])) : study;
      const body = Buffer.from(JSON.stringify({ data: { [field]: value } }));
      response.writeHead(200, {
        'content-type': 'application/json; charset=utf-8',
        'content-length': body.length,
      });
      response.end(body);
    });
  });
}).listen(port, '127.0.0.1');

function ask({ authorization, method, path, input }, done) {
  const chunks = [];
  pool.dispatch(
    {
      method,
      path,
      headers: { authorization, 'content-type': 'application/json' },
      body: input && JSON.stringify(input),
    },
    {
      onRequestStart() {},
      onResponseStart() {},
      onResponseData: (_, chunk) => chunks.push(chunk),
      onResponseEnd: () => done(JSON.parse(Buffer.concat(chunks).toString())),
      onResponseError: (_, error) => done({ error: error.message }),
    },
  );
}

function readText(request, done) {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => done(Buffer.concat(chunks).toString()));
}
