import type { Entity, JsonObject } from 'rest-outcome';
import { translate, type Contract, type Refused, type Translation } from 'study-gateway-contract';
import { Refusal } from '../errors/refusal.js';
import { isUuid } from '../scalars/formats.js';
import { createStudyShape } from './wire.js';

type OperationName = keyof Contract['operations'];

export type StudyContract = ReturnType<typeof compileContract>;

/** Compiles a contract for the calls to the Study API: the only place that knows how the API differs from what is assumed. */
export function compileContract(contract: Contract) {
  const { operations } = contract;
  const translation = translate(contract);
  const { unwrap, read, toBodyVerdict, toBody, refuse } = translation;
  /** Returns an id that is a UUID; `undefined` if there is none, `null` if it is another value. */
  const readId = (answer: JsonObject): string | null | undefined => {
    const study = unwrap(answer);
    const id = study && read(study, 'id');
    return id === undefined || (typeof id === 'string' && isUuid(id)) ? id : null;
  };
  const readWrittenId = (answer: JsonObject) =>
    toBodyVerdict && toBodyVerdict(answer) !== 'APPLIED' ? null : readId(answer);
  return {
    ...translation,
    shape: createStudyShape(translation.absent),
    /** Header that carries idempotency keys; `undefined` for the usual one. */
    keyHeader: contract.keys?.header,
    /** Each returns the path of an operation. Throws `Refusal` if the API lacks the operation. */
    endpoints: {
      study: createEndpoint('study', operations.study),
      studies: createEndpoint('studies', operations.studies),
      createStudy: createEndpoint('createStudy', operations.createStudy),
      editStudy: createEndpoint('editStudy', operations.editStudy),
    },
    /** Each returns the JSON text of an input. Throws `Refusal` that names each field that the API refuses or misses. */
    bodies: {
      createStudy: createToText(toBody, refuse.createStudy),
      editStudy: createToText(toBody, refuse.editStudy),
    },
    /** The study that the answer to a read shows. */
    ofRead: { readId } satisfies Entity,
    /** The study that the answer to a write shows, if the answer says yes. */
    ofWrite: { readId: readWrittenId } satisfies Entity,
  };
}

/** Returns the message for an operation that the API lacks. */
export function toLacking(name: OperationName): string {
  return `The Study API has no operation ${name}, according to its contract.`;
}

function createEndpoint(
  name: OperationName,
  operation: { readonly path: string } | false,
): (id: string) => { readonly path: string; readonly template: string } {
  if (operation === false)
    return () => {
      throw new Refusal('BAD_REQUEST', toLacking(name));
    };
  const { path: template } = operation;
  const [before = '', after] = template.split(/\{\w+\}/);
  const endpoint = { path: template, template };
  if (after === undefined) return () => endpoint;
  // GraphQL has checked that the id is a UUID; encoding the id is a second defence against injection into the URL.
  return (id) => ({ path: before + encodeURIComponent(id) + after, template });
}

function createToText(
  toBody: Translation['toBody'],
  refuse: Translation['refuse']['createStudy'],
): (input: object, id?: string) => string {
  return (input, id) => {
    const fields = { ...input };
    assertTaken(refuse(fields), 'input');
    // `undefined` is left out; `null` and `[]` stay.
    return JSON.stringify(toBody(fields, id));
  };
}

/** @throws Refusal that names each refused value, below the arguments in `within` */
export function assertTaken(refused: readonly Refused[], ...within: string[]): void {
  if (refused.length === 0) return;
  const fieldErrors = refused.map(({ name, message }) => ({ path: [...within, name], message }));
  const message = refused.map(({ name, message }) => `${name}: ${message}`).join(' ');
  throw new Refusal('BAD_USER_INPUT', message, { fieldErrors });
}
