export { runContract, usage } from './command.js';
export {
  assumed,
  ContractError,
  readContract,
  toContractSchema,
  type Contract,
  type ContractFile,
} from './contract.js';
export { toSteps } from './json.js';
export { type FieldName } from './study-fields.js';
export { translate, type ListArguments, type Refused, type Translation } from './translate.js';
