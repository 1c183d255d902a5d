export { runContract } from './command.js';
export { assumed, type Contract, type ContractFile } from './contract.js';
export { ContractError, readContract } from './file.js';
export { toSteps } from './json.js';
export type { FieldName } from './study-fields.js';
export type { ListArguments, Refused } from './list.js';
export { translate, type Translation } from './translate.js';
