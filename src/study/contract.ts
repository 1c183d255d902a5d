import { basename } from 'node:path';
import type { Entity, JsonObject } from 'rest-outcome';
import {
  translate,
  type Contract,
  type Refused,
  type Translation,
  type WriteName,
} from 'study-gateway-contract';
import { Refusal } from '../errors/refusal.js';
import { isUuid } from '../scalars/formats.js';
import { createStudyShape, type StudyShape } from './wire.js';

type OperationName = keyof Contract['operations'];

interface Place {
  readonly path: string;
  readonly template: string;
}

/** A contract, compiled for the calls to the Study API: the only place that knows how the API differs from what is assumed. */
export interface StudyContract extends Translation {
  /** Each returns the path of an operation. Throws `Refusal` if the API lacks the operation. */
  readonly places: Readonly<Record<OperationName, (id: string) => Place>>;
  /** Each returns the JSON text of an input. Throws `Refusal` that names each field that the API refuses or misses. */
  readonly bodies: Readonly<Record<WriteName, (input: object, id?: string) => string>>;
  readonly shape: StudyShape;
  /** Header that carries idempotency keys; `undefined` for the usual one. */
  readonly keyHeader: string | undefined;
  /** The study that the answer to a read shows. */
  readonly shown: Entity;
  /** The study that the answer to a write shows, if the answer says yes. */
  readonly written: Entity;
}

export function compileContract(contract: Contract): StudyContract {
  const { operations, file } = contract;
  const translation = translate(contract);
  const { unwrap, read, toBodyVerdict, toBody, refuse } = translation;
  const readId = (answer: JsonObject): string | null | undefined => {
    const study = unwrap(answer);
    return study && toStudyId(read(study, 'id'));
  };
  return {
    ...translation,
    shape: createStudyShape(translation.absent),
    keyHeader: contract.keys?.header,
    places: {
      study: createPlace('study', operations.study, file),
      studies: createPlace('studies', operations.studies, file),
      createStudy: createPlace('createStudy', operations.createStudy, file),
      editStudy: createPlace('editStudy', operations.editStudy, file),
    },
    bodies: {
      createStudy: createToText(toBody, refuse.createStudy),
      editStudy: createToText(toBody, refuse.editStudy),
    },
    shown: { readId },
    written: {
      readId: toBodyVerdict
        ? (answer) => (toBodyVerdict(answer) === 'APPLIED' ? readId(answer) : null)
        : readId,
    },
  };
}

/** Returns the message for an operation that the API lacks: with the name of the contract file, but not its folder. */
export function toLacking(name: OperationName, file = ''): string {
  return `The Study API has no operation ${name}, according to ${basename(file)}.`;
}

function createPlace(
  name: OperationName,
  operation: { readonly path: string } | false,
  file?: string,
): (id: string) => Place {
  if (operation === false)
    return () => {
      throw new Refusal('BAD_REQUEST', toLacking(name, file));
    };
  const { path: template } = operation;
  const [before = '', after] = template.split(/\{\w+\}/);
  const place = { path: template, template };
  if (after === undefined) return () => place;
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

/** Returns an id that is a UUID; `undefined` if there is none, `null` if it is another value. */
function toStudyId(id: unknown): string | null | undefined {
  if (typeof id === 'string' && isUuid(id)) return id;
  return id === undefined ? undefined : null;
}
