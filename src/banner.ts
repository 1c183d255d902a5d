import { createStudyExample } from './graphql/example.js';

/** Where to go, for the person who has just typed `npm start`. */
export function toBanner(options: {
  readonly gatewayUrl: string;
  readonly studyApiUrl: string;
  readonly sandbox: boolean;
  /** A token of the emulator; `undefined` in front of a Study API of the user's own. */
  readonly demoToken: string | undefined;
}): string {
  const { gatewayUrl, studyApiUrl, sandbox, demoToken } = options;
  const endpoint = `${gatewayUrl}/graphql`;
  const studyApi = demoToken
    ? `${studyApiUrl} (the emulator; its token is ${demoToken})`
    : studyApiUrl;
  return `
  study-gateway is ready.

  GraphQL      ${endpoint}
  In a browser ${sandbox ? endpoint : 'Sandbox is off'}
  Study API    ${studyApi}

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
