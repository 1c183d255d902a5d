export { createPlannedExecution, type PlannedExecution } from './execute.js';
export { toErrorResponse, type ErrorHandling } from './response.js';
export { bindRoot, type Run } from './root.js';
export { collectFields, toFragments } from './selection.js';
export { withoutStack } from './without-stack.js';
