export { bindRoot, createPlannedExecution, type PlannedExecution, type Run } from './execute.js';
export { toErrorResponse, withoutStack, type ErrorHandling } from './error-response.js';
export { findRootFields } from './selection.js';
