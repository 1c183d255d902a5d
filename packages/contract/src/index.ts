export { runContract, usage, type ContractExit, type ContractOutput } from './command.js';
export { contractFrom, type Reading } from './contract-from.js';
export {
  assumed,
  ContractError,
  readContract,
  toApiName,
  toContractSchema,
  type Contract,
  type ContractFile,
} from './contract.js';
export { toSteps } from './json.js';
export { toOpenApi } from './to-openapi.js';
export { translate, type ListArguments, type Refused, type Translation } from './translate.js';
