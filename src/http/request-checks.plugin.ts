export { addRequestChecks } from './request-checks.hook.js';
