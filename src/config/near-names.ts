import { distance } from 'fastest-levenshtein';
import { allVariables, removedVariables } from './config.variables.js';

/** Minimum length of a name to check: shorter names resemble too many others. */
const MIN_LENGTH = 8;
/** Maximum number of letters by which a misspelt name differs from the name that was meant. */
const MAX_DISTANCE = 2;

/** Value of a variable `…_PORT` that Kubernetes sets in each container for a service. */
const SERVICE_URL = /^(tcp|udp|sctp):\/\//;

interface NearName {
  readonly variable: string;
  /** Variable that was probably meant. */
  readonly near: string;
}

/** Finds variables that are probably misspelt: their names are one or two letters away from a known name. */
export function findNearNames(
  environment: Readonly<Record<string, string | undefined>>,
): readonly NearName[] {
  const known = allVariables.map(({ name }) => name);
  return Object.entries(environment).flatMap(([variable, value = '']) => {
    if (variable.length < MIN_LENGTH || SERVICE_URL.test(value)) return [];
    if (known.includes(variable) || Object.hasOwn(removedVariables, variable)) return [];
    const near = known.find((name) => distance(variable, name) <= MAX_DISTANCE);
    return near === undefined ? [] : [{ variable, near }];
  });
}
