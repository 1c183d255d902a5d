import { createStudyExample } from '../graphql/example.js';

/**
 * Where to go, for the person who has just typed `npm start`.
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
  const emulator = demoToken === undefined ? '' : ` (the emulator; its token is ${demoToken})`;
  return `
  study-gateway is ready.

  GraphQL       ${endpoint}
  In a browser  ${pages.sandbox ? endpoint : 'off: set SANDBOX=true'}
  Offline       ${pages.explorer ? `${gatewayUrl}/explorer` : 'off: set EXPLORER=true'}
  Study API     ${studyApiUrl.href}${emulator}

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
