import { execFileSync } from 'node:child_process';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import manifest from '../../package.json' with { type: 'json' };
import { createDirectory } from '../support/process.js';
import { deployment, kustomization, readManifest, service } from '../support/manifests.js';

const chart = 'deploy/helm/study-gateway';
const operator = 'deploy/prometheus-operator';

// oxlint-disable-next-line typescript/no-explicit-any -- each test asserts what it reads of a file
type Yaml = any;

function read(path: string): Yaml {
  return parse(readFileSync(path, 'utf8'));
}

/** Renders a template of the chart, whose only expressions are `.Values.<path>` and `toYaml … | nindent <n>`. */
function render(template: string, values: unknown): unknown {
  const find = (path: string): unknown =>
    path.split('.').reduce((part: Yaml, name) => part[name], values);
  const text = template
    .replace(/ \{\{- toYaml \.Values\.([\w.]+) \| nindent (\d+) \}\}/g, (_, path, indent) =>
      `\n${stringify(find(path))}`.replaceAll('\n', `\n${' '.repeat(Number(indent))}`),
    )
    .replace(/\{\{ \.Values\.([\w.]+) \}\}/g, (_, path) => String(find(path)));
  expect(text).not.toContain('{{');
  return parse(text);
}

it('a chart makes the manifests, from its values', () => {
  const values = read(`${chart}/values.yaml`);
  const templates = globSync(`${chart}/templates/*`).map((path) => basename(path));

  expect(templates.toSorted()).toEqual(kustomization.resources.toSorted());
  for (const name of templates) {
    const template = readFileSync(`${chart}/templates/${name}`, 'utf8');
    const [{ newName, newTag }] = read('deploy/kubernetes/kustomization.yaml').images;
    const text = JSON.stringify(readManifest(name));
    const image = `"image":"${newName}:${newTag}"`;
    expect(render(template, values)).toEqual(
      JSON.parse(text.replace('"image":"study-gateway"', image)),
    );
  }
});

it('every value of the chart has an effect', () => {
  const values = read(`${chart}/values.yaml`);
  const used = globSync(`${chart}/templates/*`).flatMap((path) =>
    [...readFileSync(path, 'utf8').matchAll(/\.Values\.([\w.]+)/g)].map(([, name]) => name),
  );
  const names = Object.entries<object>(values).flatMap(([name, value]) =>
    used.includes(name) ? [name] : Object.keys(value).map((inner) => `${name}.${inner}`),
  );

  expect(new Set(used)).toEqual(new Set(names));
});

it('the chart has the version of the package, also of its image', () => {
  const { version } = manifest;
  const { version: ofChart, appVersion } = read(`${chart}/Chart.yaml`);

  expect([ofChart, appVersion, read(`${chart}/values.yaml`).image.tag]).toEqual([
    version,
    version,
    version,
  ]);
});

it('the PrometheusRule has the alerts', { tags: ['promtool'] }, () => {
  const { spec } = read(`${operator}/prometheus-rule.yaml`);
  expect(spec).toEqual(read('deploy/prometheus/alerts.yml'));

  const path = join(createDirectory(), 'rules.yml');
  writeFileSync(path, stringify(spec));
  expect(execFileSync('promtool', ['check', 'rules', path], { encoding: 'utf8' })).toContain(
    'SUCCESS',
  );
});

it('the ServiceMonitor finds the metrics port of the pods, under the job of the alerts', () => {
  const metrics = read(`${operator}/service.yaml`);
  const { spec } = read(`${operator}/service-monitor.yaml`);
  const [container] = deployment.spec!.template.spec!.containers;

  expect(metrics.metadata.labels).toMatchObject(spec.selector.matchLabels);
  expect(metrics.metadata.labels[spec.jobLabel]).toBe('study-gateway');
  expect(metrics.spec.selector).toEqual(service.spec!.selector);
  expect(spec.endpoints.map(({ port }: { port: string }) => port)).toEqual(['metrics']);
  expect(metrics.spec.ports).toEqual([
    {
      name: 'metrics',
      port: container!.ports!.find(({ name }) => name === 'metrics')!.containerPort,
      targetPort: 'metrics',
    },
  ]);
  const applied = globSync(`${operator}/*`).map((path) => basename(path));
  const { resources }: { resources: readonly string[] } = read(`${operator}/kustomization.yaml`);
  expect([...resources, 'kustomization.yaml'].toSorted()).toEqual(applied.toSorted());
});

it('the release builds on the digest of the base image of the Dockerfile', () => {
  const directory = createDirectory();
  const { steps } = read('.github/workflows/release.yml').jobs.image;
  const step = (id: string) => steps.find((it: { id?: string }) => it.id === id);
  const [, base] = /^ARG NODE_IMAGE=(.*)$/m.exec(readFileSync('Dockerfile', 'utf8')) ?? [];
  const digest = `sha256:${'0a'.repeat(32)}`;
  const run = (answer: string): string => {
    const output = join(directory, 'output');
    // Stands for the registry, which the tests cannot reach.
    writeFileSync(join(directory, 'docker'), `#!/bin/sh\necho "$*" >&2; echo '${answer}'\n`, {
      mode: 0o755,
    });
    const env = { PATH: `${directory}:${process.env['PATH']}`, GITHUB_OUTPUT: output };
    execFileSync('bash', ['-e', '-c', step('base').run], { env, stdio: 'pipe' });
    return readFileSync(output, 'utf8');
  };

  expect(run(digest)).toBe(`image=${base}@${digest}\ndigest=${digest}\n`);
  expect(() => run('an error')).toThrow('Command failed');
  expect(step('build').with['build-args']).toBe('NODE_IMAGE=${{ steps.base.outputs.image }}');
});
