import type { CreateStudyInput, EditStudyInput, UnsettledWrite } from 'study-gateway-client';
import { useUnsettledWrites } from 'study-gateway-client/react';
import { unsettledWrites } from './client.ts';

/**
 * The unsettled writes of this page, another one or an earlier one: `write` has the study and the input of a form, `others`
 * create or edit other studies, or have another input.
 *
 * @param studyId id of the study that the form edits; `undefined` if it creates one
 */
export function useUnsettled(
  studyId: string | undefined,
  input: CreateStudyInput | EditStudyInput,
) {
  const writes = useUnsettledWrites(unsettledWrites);
  const text = JSON.stringify(input);
  const isOfForm = (write: UnsettledWrite) =>
    JSON.stringify(write.input) === text &&
    (write.operation === 'editStudy' ? write.studyId : undefined) === studyId;
  const write = writes.find(isOfForm);
  return { write, others: writes.filter((other) => other !== write) };
}
