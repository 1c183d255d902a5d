import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Deployment } from 'kubernetes-types/apps/v1.js';
import type { HorizontalPodAutoscaler } from 'kubernetes-types/autoscaling/v2.js';
import type { ConfigMap, Secret, Service } from 'kubernetes-types/core/v1.js';
import type { NetworkPolicy } from 'kubernetes-types/networking/v1.js';
import type { PodDisruptionBudget } from 'kubernetes-types/policy/v1.js';
import { parse } from 'yaml';
import { createDirectory } from './process.js';

const root = resolve(import.meta.dirname, '../..');
const folder = join(root, 'deploy/kubernetes');

export const files = readdirSync(folder);

export function readManifest(file: string): unknown {
  return parse(readFileSync(join(folder, file), 'utf8'));
}

export const kustomization = readManifest('kustomization.yaml') as {
  readonly namespace: string;
  readonly resources: readonly string[];
  readonly images: readonly { readonly name: string; readonly newTag: string }[];
};
export const deployment = readManifest('deployment.yaml') as Deployment;
export const service = readManifest('service.yaml') as Service;
export const autoscaler = readManifest('horizontal-pod-autoscaler.yaml') as HorizontalPodAutoscaler;
export const budget = readManifest('pod-disruption-budget.yaml') as PodDisruptionBudget;
export const policy = readManifest('network-policy.yaml') as NetworkPolicy;
export const configMap = readManifest('config-map.yaml') as ConfigMap;
export const secret = readManifest('secret.example.yaml') as Secret;

/** Compiles the manifests as literals of the Kubernetes types, and returns tsc's output: unknown fields are errors. */
export function checkTypes(manifests: readonly unknown[]): string {
  const directory = createDirectory();
  symlinkSync(join(root, 'node_modules'), join(directory, 'node_modules'));
  const lines = manifests.flatMap((manifest, index) => {
    const { apiVersion, kind } = manifest as { apiVersion: string; kind: string };
    const group = apiVersion === 'v1' ? 'core/v1' : apiVersion.replace(/\.k8s\.io\//, '/');
    const literal = JSON.stringify(manifest, undefined, 1);
    return [
      `import type { ${kind} as Kind${index} } from 'kubernetes-types/${group}.js';`,
      `export const manifest${index}: Kind${index} = ${literal};`,
    ];
  });
  writeFileSync(join(directory, 'manifests.ts'), lines.join('\n'));
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const args = ['--noEmit', '--strict', '--module', 'nodenext', '--types', '', 'manifests.ts'];
  const { stdout, stderr } = spawnSync(process.execPath, [tsc, ...args], {
    cwd: directory,
    encoding: 'utf8',
  });
  return stdout + stderr;
}
