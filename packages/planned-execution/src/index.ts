export { createPlannedExecution, type PlannedErrors, type PlannedExecution } from './execute.js';
export { TooManyErrorsError, withinErrors } from './field-errors.js';
export { createVariableRefusals } from './refusals.js';
export { bindRoot, type Resolve } from './root.js';
export { withoutStack } from './without-stack.js';
