// Lower bound of the cost: a bare Node hop that forwards the bytes of both bodies, and parses neither.
import { createServer } from 'node:http';
import { Pool } from 'undici';
import { port, studyApiUrl } from './environment.mjs';

const pool = new Pool(studyApiUrl, { connections: 256, pipelining: 1 });

createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => forward(request.headers, Buffer.concat(chunks), response));
}).listen(port, '127.0.0.1');

function forward({ authorization }, body, response) {
  pool.dispatch(
    {
      method: 'POST',
      path: '/studies',
      headers: { authorization, 'content-type': 'application/json' },
      body,
    },
    {
      onRequestStart() {},
      onResponseStart(_, status, headers) {
        response.writeHead(status, {
          'content-type': headers['content-type'],
          'content-length': headers['content-length'],
        });
      },
      onResponseData: (_, chunk) => response.write(chunk),
      onResponseEnd: () => response.end(),
      onResponseError: (_, error) => response.destroy(error),
    },
  );
}
