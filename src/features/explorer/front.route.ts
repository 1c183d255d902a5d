import type { AppPart } from '../../http/app.js';

/** Relative, so that a proxy may put the gateway under a path. */
const explorerAddress = 'explorer';

const introduction =
  'This is study-gateway, a GraphQL server in front of the Study API: send operations to /graphql by POST.\n';

/** `GET /`: leads browsers to the explorer where it is on, and says in one line what this is to everybody else. */
export function addFront({ explorer }: { readonly explorer: boolean }): AppPart {
  return (app) => {
    app.get('/', (request, reply) => {
      void reply.header('vary', 'accept');
      if (explorer && request.headers.accept?.includes('text/html'))
        return reply.redirect(explorerAddress, 302);
      return reply.type('text/plain; charset=utf-8').send(introduction);
    });
  };
}
