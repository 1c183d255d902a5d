import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { createDirectory } from '../support/process.js';
import { deployment, kustomization } from '../support/manifests.js';

const operator = 'deploy/prometheus-operator';

// oxlint-disable-next-line typescript/no-explicit-any -- each test asserts what it reads of a file
type Yaml = any;

function read(path: string): Yaml {
  return parse(readFileSync(path, 'utf8'));
}

it('the PodMonitor finds the metrics port of the pods, under the job of the alerts', () => {
  const { spec } = read(`${operator}/pod-monitor.yaml`);
  const { labels } = deployment.spec!.template.metadata!;
  const [container] = deployment.spec!.template.spec!.containers;

  expect(labels).toMatchObject(spec.selector.matchLabels);
  expect(labels![spec.jobLabel]).toBe('study-gateway');
  const names = container!.ports!.map(({ name }) => name);
  expect(names).toContain(spec.podMetricsEndpoints[0].port);
});

it('all for the Prometheus operator has the label and the namespace by which it is found', () => {
  const { resources, labels, namespace } = read(`${operator}/kustomization.yaml`);

  const files = readdirSync(operator).filter((file) => file !== 'kustomization.yaml');
  expect(new Set(resources)).toEqual(new Set(files));
  // By default, Helm's kube-prometheus-stack selects what has the name of its release.
  expect(labels).toEqual([{ pairs: { release: 'kube-prometheus-stack' } }]);
  expect(namespace).toBe(kustomization.namespace);
});

it(
  'the release builds on the digest of the base image of the Dockerfile',
  { tags: ['bash'] },
  () => {
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
  },
);
