export { addBodyParser } from './request-checks.hook.js';
