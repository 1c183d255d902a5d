import type { Contract } from 'study-gateway-contract';
import { createStudyExample, fitExample } from '../graphql/example.js';

/**
 * Returns the text for the terminal after a start: the URLs of the gateway with their purpose, and a curl command.
 *
 * @param demoToken a token that the emulator accepts; `undefined` if the Study API is not the emulator
 */
export function toBanner(
  gatewayUrl: string,
  studyApiUrl: URL,
  pages: { readonly sandbox: boolean; readonly explorer: boolean },
  contract: Contract,
  demoToken?: string,
): string {
  const endpoint = `${gatewayUrl}/graphql`;
  const clients = pages.sandbox ? 'for clients; Apollo Sandbox in a browser' : 'for clients';
  const calls = demoToken
    ? `the emulator; its token is ${demoToken}`
    : 'called for every operation';
  const lines = [
    ['GraphQL', endpoint, clients],
    pages.explorer
      ? ['Explorer', `${gatewayUrl}/explorer`, 'GraphiQL, which needs no network']
      : ['Explorer', 'off', 'EXPLORER=true turns it on'],
    ['Study API', studyApiUrl.href, calls],
  ];
  const query =
    'mutation($input: CreateStudyInput!) { createStudy(input: $input) { id description createdAt } }';
  // In single quotes below, because the example contains none.
  const { variables } = fitExample(createStudyExample, contract);
  const body = JSON.stringify({ query, variables });
  const width = Math.max(...lines.map(([, address = '']) => address.length));
  const list = lines.map(
    ([name = '', address = '', use]) => `  ${name.padEnd(9)}  ${address.padEnd(width)}  ${use}`,
  );
  const addresses = `
  study-gateway is ready.

${list.join('\n')}
`;
  if (contract.operations.createStudy === false) return `${addresses}\n`;
  return `${addresses}
  Create a study:

curl ${endpoint} -H 'content-type: application/json' -H 'authorization: Bearer ${demoToken ?? '<API_TOKEN>'}' -d '${body}'

`;
}
