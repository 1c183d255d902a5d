export { createPlannedExecution, type PlannedExecution } from './execute.js';
export { bindRoot, type Run } from './plan.js';
export { toErrorResponse, withoutStack, type ErrorHandling } from './response.js';
export { findRootFields } from './selection.js';
