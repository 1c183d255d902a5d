// The baseline: a bare Node hop that parses and writes JSON on both sides, and checks nothing.
import { createServer } from 'node:http';
import { Pool } from 'undici';
import { port, studyApiUrl } from './environment.mjs';

const pool = new Pool(studyApiUrl, { connections: 256, pipelining: 1 });

createServer((request, response) => {
  readText(request, (text) => {
    const { variables } = JSON.parse(text);
    createStudy(request.headers.authorization, variables.input, (study) => {
      const body = Buffer.from(JSON.stringify({ data: { createStudy: study } }));
      response.writeHead(200, {
        'content-type': 'application/json; charset=utf-8',
        'content-length': body.length,
      });
      response.end(body);
    });
  });
}).listen(port, '127.0.0.1');

function createStudy(authorization, input, done) {
  const chunks = [];
  pool.dispatch(
    {
      method: 'POST',
      path: '/studies',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify(input),
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
