import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
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
