export type { ReadRefusal, RefusalReason } from './answer.js';
export { toRetryAfterSeconds } from './answer.js';
export { Bulkhead } from './bulkhead.js';
export { outcomesByHarm } from './call.js';
export type {
  Entity,
  JsonCall,
  JsonObject,
  Outcome,
  ReadCall,
  RestAttempt,
  RestCall,
  Room,
  WriteCall,
} from './call.js';
export type { CircuitBreakerState } from './circuit.js';
export { createClient, type Client, type ClientOptions } from './client.js';
export { failures, toStatusFailure, toText } from './failures.js';
export type { Failure, FailureCode, FailureName, ValidationDetail } from './failures.js';
export { idempotent, keyResults, type KeyResult } from './idempotent.js';
export type { RawAnswer } from './exchange.js';
export { decodeBody, ExcessError, isJsonObject } from './json.js';
export type { Claimed, Found, KeyStore } from './key.store.js';
export { memoryStore, type MemoryStoreOptions } from './memory.store.js';
export type { Operation, OperationAbout, Send, Step, ToHeaders, Truth, Wrap } from './operation.js';
export { answerNotKeptRecord } from './record.js';
export { RestError } from './rest-error.js';
export { StacklessError } from './stackless.js';
