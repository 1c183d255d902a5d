export { runContract, usage, type ContractExit, type ContractOutput } from './command.js';
export {
  assumed,
  ContractError,
  readContract,
  toContractSchema,
  type Contract,
  type ContractFile,
} from './contract.js';
export { isObject, toSteps, type JsonObject } from './json.js';
export { type FieldName, type OperationName } from './study-fields.js';
export { translate, type ListArguments, type Refused, type Translation } from './translate.js';
