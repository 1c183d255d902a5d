import { django } from './django.mjs';
import {
  fillDjango,
  fillExpressLean,
  fillExpressOk,
  fillJsonApi,
  fillLaravel,
  fillNest,
  fillSpring,
} from './engineer.mjs';
import { expressLean } from './express-lean.mjs';
import { expressOk } from './express-ok.mjs';
import { jsonApi } from './json-api.mjs';
import { laravel } from './laravel.mjs';
import { nest } from './nest.mjs';
import { spring } from './spring.mjs';

export { chooseAddress } from './engineer.mjs';
export {
  answered,
  createFields,
  cutToken,
  projects,
  startApi,
  token,
  unknownId,
} from './server.mjs';

export const apis = [
  { ...nest, fill: fillNest },
  { ...django, fill: fillDjango },
  { ...jsonApi, fill: fillJsonApi },
  { ...laravel, fill: fillLaravel },
  { ...spring, fill: fillSpring },
  { ...expressOk, fill: fillExpressOk },
  { ...expressLean, fill: fillExpressLean },
];
