import { createStudyExample } from '../graphql/example.js';

/**
 * Lists the URLs of a started gateway for the terminal, each once with what it is for.
 *
 * @param demoToken a token of the emulator; `undefined` in front of any other Study API
 */
export function toBanner(
  gatewayUrl: string,
  studyApiUrl: URL,
  pages: { readonly sandbox: boolean; readonly explorer: boolean },
  demoToken?: string,
): string {
  const endpoint = `${gatewayUrl}/graphql`;
  const lines = [
    [
      'GraphQL',
      endpoint,
      pages.sandbox ? 'for clients; Apollo Sandbox in a browser' : 'for clients',
    ],
    pages.explorer
      ? ['Explorer', `${gatewayUrl}/explorer`, 'GraphiQL, which needs no network']
      : ['Explorer', 'off', 'EXPLORER=true turns it on'],
    demoToken === undefined
      ? ['Study API', studyApiUrl.href, 'called for every operation']
      : ['Study API', studyApiUrl.href, `the emulator; its token is ${demoToken}`],
  ];
  const width = Math.max(...lines.map(([, address = '']) => address.length));
  const list = lines.map(
    ([name = '', address = '', use]) => `  ${name.padEnd(9)}  ${address.padEnd(width)}  ${use}`,
  );
  return `
  study-gateway is ready.

${list.join('\n')}

  Create a study:

${toCurl(endpoint, demoToken ?? '<API_TOKEN>')}

`;
}

/** One line for a shell; the example has no single quote in it. */
function toCurl(endpoint: string, token: string): string {
  const query =
    'mutation($input: CreateStudyInput!) { createStudy(input: $input) { id description createdAt } }';
  const body = JSON.stringify({ query, variables: createStudyExample.variables });
  return `curl ${endpoint} -H 'content-type: application/json' -H 'authorization: Bearer ${token}' -d '${body}'`;
}
