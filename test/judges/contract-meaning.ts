type JsonObject = Readonly<Record<string, unknown>>;

/** What a contract says, line by line, whether written out or left to the defaults. */
export type Meaning = Readonly<Record<string, unknown>>;

const edited = (
  'description projectId createdAt bookmarked language audiences files progress status knowledgeGraphs strategy ' +
  'interviewCount interviews'
).split(' ');
const created = [...edited, 'problems', 'solutionId', 'researchGoalId'];
const answered = [
  'id',
  ...created,
  ...'audiencesObj problemsObj planId solution researchGoal summaries'.split(' '),
];
const parts = ['progress.total', 'progress.completed', 'progress.failed'];
const namings: Record<string, (name: string) => string> = {
  camelCase: (name) => name,
  snake_case: (name) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
  'kebab-case': (name) => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
  PascalCase: (name) => name.charAt(0).toUpperCase() + name.slice(1),
};

/** Reads a contract by its README alone. Each field has a line with its name on the wire, or `absent`. */
export function toMeaning(contract: unknown): Meaning {
  const { request, answer, operations, verdicts, keys } = toObject(contract);
  const lines: Record<string, unknown> = {};
  const asked = toObject(request);
  const shown = toObject(answer);
  putNames(lines, 'request', asked, [...created, ...parts]);
  putNames(lines, 'answer', shown, [...answered, ...parts]);
  for (const name of toList(shown['absent'])) lines[`answer.${name}`] = 'absent';
  lines['answer.at'] = shown['at'] ?? 'itself';
  for (const list of ['required', 'absent'] as const)
    for (const write of ['createStudy', 'editStudy'])
      lines[`request.${list}.${write}`] = toList(toObject(asked[list])[write]).toSorted();
  const defaults: Record<string, JsonObject> = {
    study: { path: '/studies/{}' },
    studies: { path: '/studies', items: '/items', projects: 'comma-separated', firstPage: 1 },
    createStudy: { path: '/studies' },
    editStudy: { path: '/studies/{}' },
  };
  for (const [name, assumed] of Object.entries(defaults)) {
    const said = toObject(operations)[name];
    lines[`operations.${name}`] = said !== false;
    if (said === false) continue;
    const { parameters, numbers, absent, ...rest } = toObject(said);
    for (const [member, value] of Object.entries({ ...assumed, ...rest }))
      lines[`operations.${name}.${member}`] =
        member === 'path' ? String(value).replace(/\{\w+\}/, '{}') : value;
    if (name === 'studies') putList(lines, toObject(parameters), toObject(numbers), toList(absent));
  }
  const { applied, rejected, success, reason } = toObject(verdicts);
  Object.assign(lines, {
    'verdicts.applied': applied ?? '2xx',
    'verdicts.rejected': rejected ?? '4xx',
    'verdicts.success': success ?? 'status',
    'verdicts.reason': reason ?? 'known forms',
    keys: keys === undefined ? 'none' : (toObject(keys)['header'] ?? 'Idempotency-Key'),
  });
  return lines;
}

function putNames(
  lines: Record<string, unknown>,
  side: string,
  { naming = 'camelCase', names }: JsonObject,
  fields: readonly string[],
): void {
  const rule = namings[String(naming)] ?? String;
  for (const field of fields)
    lines[`${side}.${field}`] = toObject(names)[field] ?? rule(field.replace('progress.', ''));
}

function putList(
  lines: Record<string, unknown>,
  parameters: JsonObject,
  numbers: JsonObject,
  absent: readonly string[],
): void {
  const items = String(lines['operations.studies.items']);
  const beside = items.slice(0, items.lastIndexOf('/'));
  for (const name of ['page', 'size', 'projectId'])
    lines[`operations.studies.parameters.${name}`] = absent.includes(name)
      ? 'absent'
      : (parameters[name] ?? name);
  for (const name of ['page', 'size', 'total', 'pages'])
    lines[`operations.studies.numbers.${name}`] = numbers[name] ?? `${beside}/${name}`;
}

function toObject(value: unknown): JsonObject {
  return typeof value === 'object' && value !== null ? (value as JsonObject) : {};
}

function toList(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

/** Returns the lines in which two contracts differ, each with what was written by hand and what was found. */
export function compare(written: Meaning, found: Meaning): string[] {
  return Object.keys({ ...written, ...found }).flatMap((line) => {
    const [one, other] = [written, found].map((meaning) => JSON.stringify(meaning[line]));
    return one === other ? [] : [`${line}: ${one} by hand, ${other} by the probe`];
  });
}
