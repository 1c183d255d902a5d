// What both bare proxies that know JSON share: a bare Node server that parses and writes JSON on both sides, and checks nothing.
// `extensions` of the request name the REST call and the picked fields, where the operation is not the usual `createStudy`.
import { createServer } from 'node:http';
import { Pool } from 'undici';
import { port, studyApiUrl } from './environment.mjs';

export const pool = new Pool(studyApiUrl, { connections: 256, pipelining: 1 });

/** @param ask sends a REST call by undici, and passes the parsed answer to `done` */
export function serve(ask) {
  createServer((request, response) => {
    readText(request, (text) => {
      const { variables, extensions } = JSON.parse(text);
      const { field = 'createStudy', method = 'POST', path = '/studies', pick } = extensions ?? {};
      const headers = {
        authorization: request.headers.authorization,
        'content-type': 'application/json',
      };
      const body = variables?.input && JSON.stringify(variables.input);
      ask({ method, path, headers, body }, (study) => {
        const value = pick ? Object.fromEntries(pick.map((name) => [name, study[name]])) : study;
        const answer = Buffer.from(JSON.stringify({ data: { [field]: value } }));
        response.writeHead(200, {
          'content-type': 'application/json; charset=utf-8',
          'content-length': answer.length,
        });
        response.end(answer);
      });
    });
  }).listen(port, '127.0.0.1');
}

function readText(request, done) {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => done(Buffer.concat(chunks).toString()));
}
