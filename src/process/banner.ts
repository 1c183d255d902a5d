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
  const clients = pages.sandbox ? 'for clients; Apollo Sandbox in a browser' : 'for clients';
  const explorer = pages.explorer
    ? `${gatewayUrl}/explorer  GraphiQL, which needs no network`
    : 'off  EXPLORER=true turns it on';
  const api = demoToken ? `the emulator; its token is ${demoToken}` : 'called for every operation';
  const addresses = `
  study-gateway is ready.

  GraphQL    ${gatewayUrl}/graphql   ${clients}
  Explorer   ${explorer}
  Study API  ${studyApiUrl.href}  ${api}

`;
  if (contract.operations.createStudy === false) return addresses;
  const query =
    'mutation($input: CreateStudyInput!) { createStudy(input: $input) { id description createdAt } }';
  // In single quotes below, because the example contains none.
  const { variables } = fitExample(createStudyExample, contract);
  const body = JSON.stringify({ query, variables });
  return `${addresses}  Create a study:

curl ${gatewayUrl}/graphql -H 'content-type: application/json' -H 'authorization: Bearer ${demoToken ?? '<API_TOKEN>'}' -d '${body}'

`;
}
